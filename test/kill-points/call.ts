/** A system call that changed something durable, or sent the head of an answer or of a request. */
export interface SystemCall {
  readonly name: string
  /**
   * What it changed, below the world's folder; `answer 200` for the head of an HTTP answer with that status, `forge` and
   * `chat` for that of a request to the forge or to the chat platform.
   */
  readonly target: string
}

/** What strace is asked to show; `delayed` are held back at their exit, so that a kill falls right behind them. */
export const delayed = [
  'fsync',
  'fdatasync',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'unlink',
  'unlinkat',
  'mkdir',
  'mkdirat',
  'rmdir',
  'ftruncate',
  'write',
  'writev',
  'pwrite64',
  'openat',
]

const shape = /^(?:\[pid +(\d+)\] )?(.*)$/su
const resumed = /^<\.\.\. (\w+) resumed>(.*)$/su
const unfinished = ' <unfinished ...>'
const finished = /^(\w+)\((.*)\) += (-?\d+)(.*)$/su

const byPath: ReadonlySet<string> = new Set(
  delayed.filter(name => /^(?:rename|link|unlink|mkdir|rmdir)/.test(name)),
)

/** The head of a request to the forge, as much of it as strace shows. */
const forgeRequest = /"(?:GET|POST|PUT) \/api\/v4/u

const chatRequest = /"(?:GET|POST|PATCH) \/api\/v10/u

const answerHead = /"HTTP\/1\.1 (\d{3})/u

const pathIn = (root: string, text: string): string | null => {
  const at = text.indexOf(root)
  return at < 0 ? null : (/^[^>"]*/u.exec(text.slice(at + root.length))?.[0] ?? null)
}

const targetOf = (root: string, name: string, args: string, tail: string): string | null => {
  if (name === 'openat') return /O_CREAT|O_TRUNC/.test(args) ? pathIn(root, tail) : null
  const status = answerHead.exec(args)?.[1]
  if (status !== undefined) return `answer ${status}`
  if (forgeRequest.test(args)) return 'forge'
  if (chatRequest.test(args)) return 'chat'
  if (!byPath.has(name)) return pathIn(root, args)
  const first = /^[^"]*"([^"]*)"/u.exec(args)?.[1] ?? ''
  return first.startsWith('/') ? pathIn(root, args) : first
}

/** The call that a whole line tells of, if it changed something of the world at `root`. */
const callOf = (root: string, text: string): SystemCall | null => {
  const found = finished.exec(text)
  if (found === null) return null
  const [, name = '', args = '', result = '', tail = ''] = found
  if (Number(result) < 0) return null
  const target = targetOf(root, name, args, tail)
  return target === null ? null : { name, target }
}

/** Reads strace line by line; a call that was interrupted by another is put together again. */
export const callReader = (root: string): ((line: string) => SystemCall | null) => {
  const begun = new Map<string, string>()
  return line => {
    const [, pid = '', text = ''] = shape.exec(line) ?? []
    if (text.endsWith(unfinished)) {
      begun.set(pid, text.slice(0, -unfinished.length))
      return null
    }
    const rest = resumed.exec(text)
    return callOf(root, rest === null ? text : `${begun.get(pid) ?? ''}${rest[2] ?? ''}`)
  }
}
