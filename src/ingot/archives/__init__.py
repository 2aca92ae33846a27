"""Project archives as files: unpacking hostile ones safely, writing new ones in a stream. Knows nothing of projects.

unpack    unpack(file, folder, limits) -> Unpacked(folder, entries, bytes)   ArchiveRefused(sentence)
lines     read_lines(path) yields (index, record) of an NDJSON file; read_document(path) one JSON document
pack      ArchiveWriter(target): add_bytes(name, data), add_chunks(name, chunks), add_lines(name, records), close()
deflate   GzipWriter(target): write(data) compresses, store(data) does not, reserve(size) and fill(hole, data)
pace      Pace(what).counters(done, total) for a job; counted(counters).seconds_left
relations archive_table(name, table): the rows of a table that archives carry because its room says so
"""
