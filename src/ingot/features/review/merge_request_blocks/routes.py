"""Endpoints of dependencies (paid tiers)."""

from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select

from ingot.access.call import Call
from ingot.access.subjects import find_project
from ingot.access.tables import projects
from ingot.features.review.merge_request_blocks import commands
from ingot.features.review.merge_request_blocks.entities import Block, present
from ingot.features.review.merge_request_blocks.rows import BlockRow
from ingot.features.review.merge_request_blocks.tables import merge_request_blocks as blocks
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    READ_MERGE_REQUESTS,
    MergeRequestRow,
    OneMergeRequest,
    find_by_id,
    find_by_iid,
    find_for_update,
    find_then_authorize,
    find_visible,
    get_by_id,
    may_update,
    merge_requests,
    readable_merge_requests,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure, Forbidden, RecordNotFound
from ingot.kit.params import Paging, Param

routes = Routes("Merge request dependencies", guard=FIND_MERGE_REQUEST, tier="premium")
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"


class ListBlocks(OneMergeRequest, Paging):
    """The dependencies of a request."""


class OneBlock(OneMergeRequest):
    """One dependency."""

    block_id: int = Param("Id of the dependency.", required=True)


class CreateBlock(OneMergeRequest):
    """A new dependency."""

    blocking_merge_request_id: int | None = Param("Global id of the request to wait for.")
    blocking_merge_request_iid: int | None = Param("Its internal id instead.")
    blocking_project_id: int | None = Param("The project of that internal id; this one where absent.")
    exactly_one = ("blocking_merge_request_id", "blocking_merge_request_iid")


def _find_block(call: Call[OneBlock], row: MergeRequestRow) -> BlockRow:
    query = select(blocks).where(blocks.c.id == call.params.block_id, blocks.c.blocked_id == row.id)
    block = call.conn.execute(query).one_or_none()
    if block is None:
        raise RecordNotFound
    return block


def _find_blocking(call: Call[CreateBlock], row: MergeRequestRow) -> MergeRequestRow | None:
    """The request that the parameters name. A hidden project does not reveal which internal ids it has."""
    options = call.params
    blocking: MergeRequestRow | None = None
    project_id = options.blocking_project_id or row.project_id
    if options.blocking_merge_request_id is not None:
        blocking = find_by_id(call.conn, options.blocking_merge_request_id)
    elif find_project(call.conn, call.actor, project_id) is not None:
        blocking = find_by_iid(call.conn, project_id, options.blocking_merge_request_iid or 0)
    return blocking


def _may_read(call: Call, row: MergeRequestRow) -> bool:
    project = find_project(call.conn, call.actor, row.project_id)
    return project is not None and READ_MERGE_REQUESTS.allows(call.actor, project)


def _listed(call: Call, condition: ColumnElement[bool], other_end: ColumnElement[int]) -> Select[Any]:
    """Dependencies whose other end the caller may read."""
    readable = (
        select(merge_requests.c.id)
        .join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)
        .where(merge_requests.c.id == other_end, readable_merge_requests(call.actor))
        .correlate(blocks)
    )
    return select(blocks).where(condition, readable.exists()).order_by(blocks.c.id)


@routes.get(f"{PATH}/blocks", params=ListBlocks, returns=list[Block])
def list_merge_request_blocks(call: Call[ListBlocks]) -> Answer:
    """Merge requests that block this one."""
    row = find_then_authorize(call)
    return call.page(_listed(call, blocks.c.blocked_id == row.id, blocks.c.blocking_id), present)


@routes.get(f"{PATH}/blocks/{{block_id}}", params=OneBlock, returns=Block)
def get_merge_request_block(call: Call[OneBlock]) -> Answer:
    """One dependency."""
    block = _find_block(call, find_then_authorize(call))
    if not _may_read(call, get_by_id(call.conn, block.blocking_id)):
        raise RecordNotFound
    return present(call, [block])[0]


@routes.get(f"{PATH}/blockees", params=ListBlocks, returns=list[Block])
def list_merge_request_blockees(call: Call[ListBlocks]) -> Answer:
    """Merge requests that this one blocks."""
    row = find_then_authorize(call)
    return call.page(_listed(call, blocks.c.blocking_id == row.id, blocks.c.blocked_id), present)


@routes.post(f"{PATH}/blocks", params=CreateBlock, returns=Block, errors=(409,))
def create_merge_request_block(call: Call[CreateBlock]) -> Answer:
    """Add a dependency on another merge request."""
    row = find_visible(call)
    if not may_update(call, row):
        raise Failure(403, "Lacking permissions to update the merge request")
    blocking = _find_blocking(call, row)
    if blocking is None:
        raise Failure(404, "Blocking merge request not found")
    # spec: a request that the caller cannot read answers 403, also where its project is hidden
    if not _may_read(call, blocking):
        raise Failure(403, "Lacking permissions to the blocking merge request")
    with call.write() as tx:
        created = commands.create_block(tx, row.id, blocking.id)
    return present(call, [call.conn.execute(select(blocks).where(blocks.c.id == created)).one()])[0]


@routes.delete(f"{PATH}/blocks/{{block_id}}", params=OneBlock)
def delete_merge_request_block(call: Call[OneBlock]) -> None:
    """Remove a dependency."""
    row = find_for_update(call)
    block = _find_block(call, row)
    blocking = find_by_id(call.conn, block.blocking_id)
    if blocking is None or not _may_read(call, blocking):
        raise Forbidden
    call.require_unmodified(block.updated_at)
    with call.write() as tx:
        tx.execute(delete(blocks).where(blocks.c.id == block.id))
