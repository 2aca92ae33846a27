"""Parameters of the import endpoints."""

from typing import Any

from ingot.kit.params import Param, Params, UploadedFile

RELATIONS = ("issues", "merge_requests", "milestones", "ci_pipelines")


class Target(Params):
    """Target of the import."""

    path: str = Param("Path of the new project.", required=True)
    name: str | None = Param("Name; the path where absent.")
    namespace: str | None = Param("Id or path of the namespace; the caller's own where absent.")
    overwrite: bool = Param("Replace a project of the same path.", default=False)
    override_params: dict[str, Any] | None = Param("Project attributes that override the archive's.")


class ImportFile(Target):
    """An uploaded archive."""

    file: UploadedFile = Param("The archive.", required=True)


class Address(Params):
    """Where the archive is."""

    url: str = Param("URL of the archive.", required=True)


class ImportRemote(Target, Address):
    """An archive at a URL."""


class Bucket(Params):
    """Location of the archive, and credentials."""

    region: str = Param("Region of the bucket.", required=True)
    bucket_name: str = Param("Name of the bucket.", required=True)
    file_key: str = Param("Key of the archive.", required=True)
    access_key_id: str = Param("Access key.", required=True)
    secret_access_key: str = Param("Secret key.", required=True)


class ImportS3(Target, Bucket):
    """An archive in an S3 bucket."""


class ImportRelation(Params):
    """One relation of an archive, into an existing project."""

    path: str = Param("Full path of the project.", required=True)
    file: UploadedFile = Param("The archive.", required=True)
    relation: str = Param("Which relation.", required=True, one_of=RELATIONS)
