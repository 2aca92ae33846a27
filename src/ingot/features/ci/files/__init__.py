"""Files that jobs produce: zip archives, test reports and dotenv files, read within fixed limits."""

from ingot.features.ci.files.dotenv import DotenvRefused, check_dotenv_size, parse_dotenv
from ingot.features.ci.files.junit import JUnitRefused, TestSuite, parse_junit, summarise
from ingot.features.ci.files.zip_directory import ZipEntry, ZipUnreadable, read_directory
from ingot.features.ci.files.zip_extraction import EntryDecoder, extract
from ingot.features.ci.files.zip_index import TreeNode, build_index, find_entry, list_entries, list_tree

__all__ = [
    "DotenvRefused", "EntryDecoder", "JUnitRefused", "TestSuite", "TreeNode", "ZipEntry", "ZipUnreadable",
    "build_index", "check_dotenv_size", "extract", "find_entry", "list_entries", "list_tree", "parse_dotenv",
    "parse_junit", "read_directory", "summarise",
]  # fmt: skip
