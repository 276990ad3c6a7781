import { readFileSync } from 'node:fs'
import { eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { repositoryOf } from '#test/support/repository.js'
import type { HostileQuery } from './queries.js'
import { answerMsMax, type Complaint, type FuzzWorld, fuzzFiles } from './resolve-queries.js'

/** The processor time of the main thread of a process, in ms. */
const threadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1_000_000

/** A lone surrogate has no bytes of its own: JSON writes it as an escape, which the host must refuse. */
const bodyOf = ({ name }: HostileQuery): string => JSON.stringify({ name })

const triesMax = 4

interface Asked {
  readonly status: number
  readonly text: string
  readonly ms: number
}

interface Subject {
  readonly url: string
  readonly token: string
  readonly pid: number
}

const askOnce = async ({ url, token, pid }: Subject, query: HostileQuery): Promise<Asked> => {
  const fromMs = threadMs(pid)
  const response = await fetch(`${url}/resolve?explain=true`, {
    method: 'POST',
    body: bodyOf(query),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const text = await response.text()
  return { status: response.status, text, ms: threadMs(pid) - fromMs }
}

/** Asks again only where the answer took too long: other work of the daemon may have run in between. */
const askLeast = async (subject: Subject, query: HostileQuery): Promise<Asked> => {
  let least = await askOnce(subject, query)
  for (let at = 0; at < triesMax && least.ms > answerMsMax; at += 1) {
    const again = await askOnce(subject, query)
    if (again.ms < least.ms) least = again
  }
  return least
}

/** 200 with an answer or null, or 400 for a text that JSON or a name may not have. */
const whyWrong = ({ status, text, ms }: Asked): string | null => {
  if (status !== 200 && status !== 400) return `${status}: ${text.slice(0, 200)}`
  return ms > answerMsMax ? `${Math.round(ms)} ms of processor time` : null
}

/** Asks the built daemon hostile queries as bodies of `POST /resolve`; returns what went wrong. */
export const askDaemon = async (
  world: FuzzWorld,
  queries: ReadonlyArray<HostileQuery>,
): Promise<ReadonlyArray<Complaint>> => {
  const repository = repositoryOf(fuzzFiles(world))
  const daemon = await startDaemon(['serve', '--repo', repository.path])
  const subject = { url: daemon.ready.url, token: daemon.token, pid: daemon.ready.pid }
  const complaints: Array<Complaint> = []
  try {
    await eventually(
      () => getJson(daemon, '/entities?limit=1'),
      ({ status }) => status === 200,
    )
    for (const query of queries) {
      const why = whyWrong(await askLeast(subject, query))
      if (why !== null)
        complaints.push({ kind: query.kind, name: JSON.stringify(query.name.slice(0, 60)), why })
    }
    if ((await getJson(daemon, '/health')).status !== 200)
      complaints.push({ kind: 'the daemon', name: '', why: 'does not answer /health after the queries' })
  } finally {
    await daemon.stop()
    repository.dispose()
  }
  return complaints
}
