import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawnGit } from './git-command.js'

/** An object as `git cat-file --batch` prints it. */
export interface GitObject {
  readonly id: string
  readonly type: string
  readonly size: number
  /** Empty where only sizes are requested. */
  readonly bytes: Buffer
}

export interface GitBatch {
  /**
   * Reads one object by id or revision (`HEAD^{tree}`); null when there is none. A revision must not contain
   * a newline.
   */
  readonly object: (revision: string) => Promise<GitObject | null>
  readonly close: () => void
}

/**
 * One long-lived `git cat-file --batch`, started at first use and again after it dies. Requests are answered
 * in order; when the child dies, the waiting ones are rejected.
 */
export const openGitBatch = (cwd: string, asks: Asks = 'contents'): GitBatch => {
  const batch: Batch = {
    asks,
    waiting: [],
    child: null,
    isClosed: false,
    rest: Buffer.alloc(0),
    pending: null,
  }
  return {
    object: revision =>
      new Promise((resolve, reject) => {
        if (batch.isClosed) return reject(new Error('git cat-file is closed'))
        if (/[\n\0]/.test(revision)) return reject(new Error('a revision holds no newline'))
        batch.child = batch.child ?? startChild(cwd, batch)
        batch.waiting.push({ resolve, reject })
        batch.child.stdin.write(`${revision}\n`)
      }),
    close: () => {
      batch.isClosed = true
      batch.child?.stdin.end()
    },
  }
}

interface Waiting {
  readonly resolve: (object: GitObject | null) => void
  readonly reject: (error: Error) => void
}

/** The bytes of an incomplete answer: its parts are joined once, when all have arrived. */
interface Pending {
  readonly id: string
  readonly type: string
  /** Bytes that have not arrived, including the newline after the object. */
  missing: number
  readonly parts: Array<Buffer>
}

const headEnd = 10
const noBytes = Buffer.alloc(0)

type Asks = 'contents' | 'sizes'

/** The child with the requests that wait for an answer, and the output that is not parsed yet. */
interface Batch {
  readonly asks: Asks
  readonly waiting: Array<Waiting>
  /** Null before the first request and after the child ended. */
  child: ChildProcessWithoutNullStreams | null
  isClosed: boolean
  rest: Buffer
  pending: Pending | null
}

const answerNext = ({ waiting }: Batch, object: GitObject | null): void => waiting.shift()?.resolve(object)

/** Parses the head line of an answer; false when more bytes are needed. */
const takeHead = (batch: Batch): boolean => {
  const end = batch.rest.indexOf(headEnd)
  if (end < 0) return false
  const head = batch.rest.subarray(0, end).toString('utf8')
  batch.rest = batch.rest.subarray(end + 1)
  const [id, type, size] = head.split(' ')
  if (id === undefined || type === undefined || size === undefined || !/^\d+$/.test(size))
    answerNext(batch, null)
  else if (batch.asks === 'sizes') answerNext(batch, { id, type, size: Number(size), bytes: noBytes })
  else batch.pending = { id, type, missing: Number(size) + 1, parts: [] }
  return true
}

/** Takes bytes of the object after its head line; false when more bytes are needed. */
const takeContent = (batch: Batch, pending: Pending): boolean => {
  if (batch.rest.length === 0) return false
  const part = batch.rest.subarray(0, pending.missing)
  batch.rest = batch.rest.subarray(part.length)
  pending.missing -= part.length
  pending.parts.push(part)
  if (pending.missing > 0) return false
  const bytes = pending.parts.length === 1 ? part : Buffer.concat(pending.parts)
  const content = bytes.subarray(0, bytes.length - 1)
  answerNext(batch, { id: pending.id, type: pending.type, size: content.length, bytes: content })
  batch.pending = null
  return true
}

/** Settles every request whose answer is complete. */
const takePart = (batch: Batch, part: Buffer): void => {
  batch.rest = batch.rest.length === 0 ? part : Buffer.concat([batch.rest, part])
  while (batch.pending === null ? takeHead(batch) : takeContent(batch, batch.pending));
}

/** Drops the child and rejects every waiting request. */
const failWaiting = (batch: Batch, reason: string): void => {
  batch.child = null
  batch.rest = Buffer.alloc(0)
  batch.pending = null
  for (const one of batch.waiting.splice(0)) one.reject(new Error(`git cat-file ended: ${reason}`))
}

const startChild = (cwd: string, batch: Batch): ChildProcessWithoutNullStreams => {
  const child = spawnGit(['cat-file', batch.asks === 'contents' ? '--batch' : '--batch-check'], { cwd })
  let said = ''
  child.stdout.on('data', (part: Buffer) => takePart(batch, part))
  child.stderr.on('data', (part: Buffer) => {
    said = `${said}${part.toString('utf8')}`.slice(-2000)
  })
  child.stdin.on('error', () => undefined)
  child.on('error', error => failWaiting(batch, error.message))
  child.on('close', () => {
    if (batch.child === child) failWaiting(batch, said.trim())
  })
  return child
}
