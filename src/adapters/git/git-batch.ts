import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawnGit } from './git-command.js'

/** An object as `git cat-file --batch` tells it. */
export interface GitObject {
  readonly id: string
  readonly type: string
  readonly size: number
  /** Empty where only sizes are asked for. */
  readonly bytes: Buffer
}

interface Waiting {
  readonly resolve: (object: GitObject | null) => void
  readonly reject: (error: Error) => void
}

/** The bytes of an answer that came so far: parts are joined once, when all are there. */
interface Pending {
  readonly id: string
  readonly type: string
  /** Bytes still to come, the newline after the object included. */
  missing: number
  readonly parts: Array<Buffer>
}

export interface GitBatch {
  /** Reads one object by id or revision (`HEAD^{tree}`); null when there is none. Revisions must hold no newline. */
  readonly object: (revision: string) => Promise<GitObject | null>
  readonly close: () => void
}

const headEnd = 10
const noBytes = Buffer.alloc(0)

/**
 * One long-lived `git cat-file --batch`, started at first use and again after it dies. Requests are answered in order;
 * when the child dies those that wait are rejected.
 */
export const openGitBatch = (cwd: string, asks: 'contents' | 'sizes' = 'contents'): GitBatch => {
  let child: ChildProcessWithoutNullStreams | null = null
  let closed = false
  const waiting: Array<Waiting> = []
  let rest: Buffer = Buffer.alloc(0)
  let pending: Pending | null = null

  const fail = (reason: string): void => {
    child = null
    rest = Buffer.alloc(0)
    pending = null
    for (const one of waiting.splice(0)) one.reject(new Error(`git cat-file ended: ${reason}`))
  }

  const answer = (object: GitObject | null): void => waiting.shift()?.resolve(object)

  /** Takes what it can from `rest`; false when more bytes are needed. */
  const take = (): boolean => {
    if (pending === null) {
      const end = rest.indexOf(headEnd)
      if (end < 0) return false
      const head = rest.subarray(0, end).toString('utf8')
      rest = rest.subarray(end + 1)
      const [id, type, size] = head.split(' ')
      if (id === undefined || type === undefined || size === undefined || !/^\d+$/.test(size)) answer(null)
      else if (asks === 'sizes') answer({ id, type, size: Number(size), bytes: noBytes })
      else pending = { id, type, missing: Number(size) + 1, parts: [] }
      return true
    }
    if (rest.length === 0) return false
    const part = rest.subarray(0, pending.missing)
    rest = rest.subarray(part.length)
    pending.missing -= part.length
    pending.parts.push(part)
    if (pending.missing > 0) return false
    const bytes = pending.parts.length === 1 ? part : Buffer.concat(pending.parts)
    const content = bytes.subarray(0, bytes.length - 1)
    answer({ id: pending.id, type: pending.type, size: content.length, bytes: content })
    pending = null
    return true
  }

  const started = (): ChildProcessWithoutNullStreams => {
    const fresh = spawnGit(['cat-file', asks === 'contents' ? '--batch' : '--batch-check'], { cwd })
    let said = ''
    fresh.stdout.on('data', (part: Buffer) => {
      rest = rest.length === 0 ? part : Buffer.concat([rest, part])
      while (take());
    })
    fresh.stderr.on('data', (part: Buffer) => {
      said = `${said}${part.toString('utf8')}`.slice(-2000)
    })
    fresh.stdin.on('error', () => undefined)
    fresh.on('error', error => fail(error.message))
    fresh.on('close', () => {
      // The first line is the error; git may add lines of advice.
      if (child === fresh) fail(said.trim().split('\n', 1)[0] ?? '')
    })
    return fresh
  }

  return {
    object: revision =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('git cat-file is closed'))
        if (/[\n\0]/.test(revision)) return reject(new Error('a revision holds no newline'))
        child = child ?? started()
        waiting.push({ resolve, reject })
        child.stdin.write(`${revision}\n`)
      }),
    close: () => {
      closed = true
      child?.stdin.end()
    },
  }
}
