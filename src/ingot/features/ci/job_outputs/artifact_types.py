"""Kinds of artifacts: their file formats, the file names runners use, and which count as downloadable."""

from __future__ import annotations

_RAW = {
    "trace": "job.log",
    "accessibility": "gl-accessibility.json",
    "codequality": "gl-code-quality-report.json",
    "sast": "gl-sast-report.json",
    "secret_detection": "gl-secret-detection-report.json",
    "dependency_scanning": "gl-dependency-scanning-report.json",
    "container_scanning": "gl-container-scanning-report.json",
    "cluster_image_scanning": "gl-cluster-image-scanning-report.json",
    "dast": "gl-dast-report.json",
    "license_scanning": "gl-license-scanning-report.json",
    "performance": "performance.json",
    "browser_performance": "browser-performance.json",
    "load_performance": "load-performance.json",
    "terraform": "tfplan.json",
    "requirements": "requirements.json",
    "requirements_v2": "requirements_v2.json",
    "coverage_fuzzing": "gl-coverage-fuzzing.json",
    "api_fuzzing": "gl-api-fuzzing-report.json",
}
_GZIP = {
    "metadata": "metadata.gz",
    "junit": "junit.xml",
    "metrics": "metrics.txt",
    "metrics_referee": "metrics_referee.json",
    "network_referee": "network_referee.json",
    "dotenv": ".env",
    "cobertura": "cobertura-coverage.xml",
    "jacoco": "jacoco-coverage.xml",
    "cluster_applications": "gl-cluster-applications.json",
    "cyclonedx": "gl-sbom.cdx.json",
    "annotations": "gl-annotations.json",
    "repository_xray": "gl-repository-xray.json",
}
_ZIP = {"archive": "artifacts", "lsif": "lsif.json"}

FORMATS = {
    **dict.fromkeys(_RAW, "raw"),
    **dict.fromkeys(_GZIP, "gzip"),
    **dict.fromkeys(_ZIP, "zip"),
}
"""Artifact type to its only file format."""

DEFAULT_FILE_NAMES = {**_RAW, **_GZIP, **_ZIP}

DOWNLOADABLE = frozenset((
    "accessibility", "api_fuzzing", "archive", "browser_performance", "cluster_image_scanning", "cobertura",
    "codequality", "container_scanning", "cyclonedx", "dast", "dependency_scanning", "dotenv", "jacoco", "junit",
    "license_scanning", "load_performance", "lsif", "metrics", "performance", "requirements", "requirements_v2",
    "sast", "secret_detection",
))  # fmt: skip
"""A job with one of these can be the one that a download by ref picks."""

ACCESSIBILITY = {"all": "public", "developer": "private", "maintainer": "maintainer", "none": "none"}
"""`artifacts:access` to what is stored on each artifact."""
