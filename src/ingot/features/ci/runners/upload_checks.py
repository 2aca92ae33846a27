"""Checks of an upload of artifacts: before its body comes, and when fields of the body have come."""

from msgspec.structs import replace

from ingot.access.call import Call
from ingot.features.ci.job_artifacts import Upload, check_upload
from ingot.features.ci.runners.authentication import authenticate_job, job_token_of, running_job
from ingot.features.ci.runners.params import UploadArtifact
from ingot.kit.errors import Forbidden, TooLarge

# Bytes that are accepted before the uploader has sent its token.
_UNPROVEN = 100 * 1024 * 1024
# The body is a little longer than the file in it.
_FORM = 65_536


class UploadChecks:
    """Of one call: its token may come before the body, or in it, before or after the file."""

    def __init__(self, call: Call[UploadArtifact]) -> None:
        self._call = call
        self._early: Upload | None = None
        self.status = ""  # of the job, once it is known

    async def require_announced_size(self) -> None:
        """Refuse a body that says that it is too large; without a token only a form can bring one."""
        headers = self._call.request.headers
        if job_token_of(self._call):
            self._early = await self._call.run(self._checked, {}, False)
            announced, limit = headers.get("content-length", ""), self._early.limit
            if limit is not None and announced.isdecimal() and int(announced) > limit + _FORM:
                raise TooLarge("file size has reached maximum size limit")
        elif not headers.get("content-type", "").startswith("multipart/form-data"):
            raise Forbidden

    def check(self, fields: dict[str, str], is_all: bool) -> Upload:
        """With the fields that have come so far."""
        return self._early if self._early and not fields else self._checked(fields, is_all)

    def _checked(self, fields: dict[str, str], is_all: bool) -> Upload:
        call = self._call
        call.values = {**call.values, **fields}
        options = UploadArtifact.parse({**call.values, **call.path})
        # A token sent after the file is checked then; until that, the job must at least be running.
        is_proven = is_all or bool(job_token_of(call))
        job = authenticate_job(call, call.params.job_id) if is_proven else running_job(call, call.params.job_id)
        self.status = job.status
        upload = check_upload(call.conn, job, options)
        if is_proven:
            return upload
        return replace(upload, limit=min(upload.limit or _UNPROVEN, _UNPROVEN), is_proven=False)
