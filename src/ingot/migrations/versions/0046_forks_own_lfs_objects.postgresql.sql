INSERT INTO lfs_objects (project_id, oid, size, blob_key, created_at)
SELECT forks.id, lfs_objects.oid, lfs_objects.size, lfs_objects.blob_key, lfs_objects.created_at
FROM projects AS forks JOIN lfs_objects ON lfs_objects.project_id = forks.forked_from_id
WHERE lfs_objects.created_at <= forks.created_at
ON CONFLICT (project_id, oid) DO NOTHING
--;
-- locks: these are forks of projects with LFS objects, of which there are few
UPDATE project_statistics SET
	storage_size = storage_size - lfs_objects_size + (
		SELECT sum(lfs_objects.size) FROM lfs_objects WHERE lfs_objects.project_id = project_statistics.project_id
	),
	lfs_objects_size = (
		SELECT sum(lfs_objects.size) FROM lfs_objects WHERE lfs_objects.project_id = project_statistics.project_id
	)
WHERE project_id IN (
	SELECT forks.id FROM projects AS forks JOIN lfs_objects ON lfs_objects.project_id = forks.id
	WHERE forks.forked_from_id IS NOT NULL
)
