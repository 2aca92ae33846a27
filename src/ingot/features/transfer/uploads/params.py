"""Parameters of uploads."""

from ingot.kit.params import Param, Params, UploadedFile


class NewUpload(Params):
    """A file to attach."""

    file: UploadedFile = Param("The file.", required=True)


class OneUpload(Params):
    """One upload by its number."""

    upload_id: int = Param("Id of the upload.", required=True)


class UploadBySecret(Params):
    """One upload by what its address holds."""

    secret: str = Param("The secret in the file's address, 32 characters.", required=True)
    filename: str = Param("Name of the file.", required=True)
