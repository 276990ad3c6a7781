import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { callReader, type SystemCall } from './call.js'

const readCalls = (...lines: ReadonlyArray<string>): ReadonlyArray<SystemCall> => {
  const take = callReader('/w/')
  return lines.flatMap(line => take(line) ?? [])
}

describe('the calls that strace tells of', () => {
  it('are those that changed a file of the world', () => {
    deepEqual(
      readCalls(
        '[pid 7] fsync(3</w/.git/objects/tmp_obj_x>) = 0 (DELAYED)',
        'pwrite64(21</w/.svc/state/runtime.db-wal>, "\\0"..., 24, 0) = 24 (DELAYED)',
        'unlink(".git/index.lock") = 0 (DELAYED)',
        'rename("/w/a", "/w/b") = 0',
        'openat(AT_FDCWD</w>, ".git/index.lock", O_RDWR|O_CREAT|O_EXCL, 0666) = 3</w/.git/index.lock>',
      ),
      [
        { name: 'fsync', target: '.git/objects/tmp_obj_x' },
        { name: 'pwrite64', target: '.svc/state/runtime.db-wal' },
        { name: 'unlink', target: '.git/index.lock' },
        { name: 'rename', target: 'a' },
        { name: 'openat', target: '.git/index.lock' },
      ],
    )
  })

  it('are not reads, failures, or files elsewhere', () => {
    deepEqual(
      readCalls(
        'openat(AT_FDCWD</w>, ".git/HEAD", O_RDONLY) = 3</w/.git/HEAD>',
        'openat(AT_FDCWD</w>, ".git/index.lock", O_RDWR|O_CREAT|O_EXCL, 0666) = -1 EEXIST (File exists)',
        'unlink("/w/none") = -1 ENOENT (No such file or directory)',
        'write(13<anon_inode:[eventfd]>, "\\1\\0", 8) = 8',
        'strace: Process 7 attached',
      ),
      [],
    )
  })

  it('are the heads of requests to the forge and to the chat platform', () => {
    deepEqual(
      readCalls(
        'write(27<socket:[9]>, "PATCH /api/v10/webhooks/"..., 300) = 300',
        'writev(25<socket:[7]>, [{iov_base="POST /api/v4/projects/lo"..., iov_len=300}, {iov_base="{"..., iov_len=9}], 2) = 309',
        'write(26<socket:[8]>, "GET /v1/api/fleet/status"..., 99) = 99',
      ),
      [
        { name: 'write', target: 'chat' },
        { name: 'writev', target: 'forge' },
      ],
    )
  })

  it('are put together when another process came between, and tell of an answer', () => {
    deepEqual(
      readCalls(
        '[pid 8] fdatasync(9</w/db> <unfinished ...>',
        '[pid 9] writev(4<socket:[1]>, [{iov_base="HTTP/1.1 200 OK\\r\\n"..., iov_len=300}], 1) = 300',
        '[pid 8] <... fdatasync resumed>) = 0 (DELAYED)',
      ),
      [
        { name: 'writev', target: 'answer 200' },
        { name: 'fdatasync', target: 'db' },
      ],
    )
  })
})
