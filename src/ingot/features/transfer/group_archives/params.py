"""Parameters of group archives."""

from ingot.kit.params import Param, Params, UploadedFile


class ImportGroup(Params):
    """An archive, and where the group goes."""

    name: str = Param("The group's name.", required=True)
    path: str = Param("The group's path.", required=True)
    file: UploadedFile = Param("The archive.", required=True)
    parent_id: int | None = Param("The group above.")
