"""How far the writing of an archive is: its stages, and what is counted in each."""

from typing import Any

import msgspec

from ingot.archives.pace import GROUPS, Pace

# The stages of an export, with words for people. The steps of its job come last.
REPOSITORIES, RECORDS, FILES, STORE, UPLOAD, FINISH = "repositories", "records", "files", "store", "upload", "finish"
STAGES = {
    REPOSITORIES: "Repositories", RECORDS: "Records", FILES: "Uploads and large files", STORE: "Store the archive",
    UPLOAD: "Send the archive", FINISH: "Finish",
}  # fmt: skip


class Counted(msgspec.Struct, frozen=True):
    """The counters of an export's job. Those of sizes are `archives.pace.Counted`, as far as sizes are known."""

    stage: str = ""
    parts: int = 0  # kinds of records, groups, or files
    parts_total: int = 0
    records: int = 0
    bytes_written: int = 0  # what is written of the archive


class Stand:
    """Counts while an archive is written."""

    def __init__(self) -> None:
        self.stage = ""
        self.parts = self.parts_total = 0
        self.records = 0
        self.bytes = self.bytes_total = 0
        self._of_groups = False
        self._pace = Pace("")

    def begin(self, stage: str, parts_total: int = 0, bytes_total: int = 0, *, of_groups: bool = False) -> None:
        """A stage of so many parts and bytes, as far as these are known; of groups, their number tells the pace."""
        self._of_groups = of_groups
        self.stage, self.parts, self.parts_total = stage, 0, parts_total
        self.bytes, self.bytes_total = 0, bytes_total
        self._pace = Pace(GROUPS if of_groups else stage)

    def counters(self, bytes_written: int) -> dict[str, Any]:  # Any: keywords of `Run.progress`
        """For the job."""
        counted = Counted(self.stage, self.parts, self.parts_total, self.records, bytes_written)
        done, total = (self.parts, self.parts_total) if self._of_groups else (self.bytes, self.bytes_total)
        return {**msgspec.structs.asdict(counted), **self._pace.counters(done, total)}
