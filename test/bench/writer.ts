import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { BenchDaemon } from './daemon.js'

/** A block of an index file that a write may change. */
export interface WriteTarget {
  readonly name: string
  readonly path: string
}

/** An acknowledged write: when it was asked, when its answer came, and the commit that the answer names. */
export interface Ack {
  readonly askedMs: number
  readonly answeredMs: number
  readonly commit: string
}

const headings = /^### (.+)$/gmu
const persons = /^### (.+)\n- @typ: NPC$/gmu

const firsts = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

/** NPCs of the index files whose heading no other block has, one after the other from different files. */
export const writeTargetsOf = async (repo: string): Promise<ReadonlyArray<WriteTarget>> => {
  const files = (await readdir(join(repo, 'encje'))).filter(name => name.endsWith('.md')).sort()
  const texts = await Promise.all(files.map(file => readFile(join(repo, 'encje', file), 'utf8')))
  const counts = new Map<string, number>()
  for (const name of texts.flatMap(text => firsts(text, headings)))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  const found = texts.map((text, at) =>
    firsts(text, persons)
      .filter(name => counts.get(name) === 1)
      .map(name => ({ name, path: `encje/${files[at] ?? ''}` })),
  )
  const longest = Math.max(0, ...found.map(each => each.length))
  return Array.from({ length: longest }, (_, at) => found.flatMap(each => each[at] ?? [])).flat()
}

/** Asks for one change of an entity. Throws when the answer is no 2xx. */
export type WriteOne = (target: WriteTarget, value: string) => Promise<Ack>

/** A client with `connections` kept open. */
export const openWriter = (daemon: BenchDaemon, connections: number): WriteOne => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return (target, value) =>
    new Promise((resolve, reject) => {
      const askedMs = performance.now()
      const body = Buffer.from(JSON.stringify({ tag: '@info', value }))
      const sent = request(
        `${daemon.url}/entities/${encodeURIComponent(target.name)}`,
        {
          method: 'PATCH',
          agent,
          headers: { ...daemon.headers, 'content-type': 'application/json', 'content-length': body.length },
        },
        answer => {
          const answeredMs = performance.now()
          const parts: Array<Buffer> = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => {
            const commit = String(answer.headers['x-svc-commit'] ?? '')
            if (answer.statusCode === 200) resolve({ askedMs, answeredMs, commit })
            else
              reject(
                new Error(
                  `PATCH ${target.name}: ${answer.statusCode ?? 0} ${Buffer.concat(parts).toString()}`,
                ),
              )
          })
        },
      )
      sent.on('error', error => reject(new Error(`PATCH ${target.name}: ${error.message}`)))
      sent.end(body)
    })
}
