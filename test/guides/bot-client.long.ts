import { deepEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { temporaryFolder } from '#test/support/repository.js'
import { stepsIn } from './describe-page.js'
import { hasProgram } from './run-page.js'

interface Refusal {
  readonly status: number
  readonly error?: string
  readonly retryAfter?: string
}

/** What the host does with one request. */
type Reply = Refusal | 'closes'

const overloaded: Reply = { status: 503, error: 'Overloaded', retryAfter: '0' }
const starting: Reply = { status: 503, error: 'Starting', retryAfter: '0' }
const missing: Reply = { status: 404, error: 'EntityNotFound' }
const internal: Reply = { status: 500, error: 'Internal' }
const done: Reply = { status: 200 }

const answer = (res: ServerResponse, reply: Reply): void => {
  if (reply === 'closes') return void res.destroy()
  const { status, error, retryAfter } = reply
  res.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
  res.end(JSON.stringify({ error }))
}

const clients = [
  {
    program: 'node',
    name: 'client.mjs',
    text: `import { ask, Unknown } from './kronika.mjs'
const [method] = process.argv.slice(2)
try { console.log((await ask(method, '/x', method === 'GET' ? undefined : {})).status) }
catch (error) { console.log(error instanceof Unknown ? 'unknown' : 'failed') }`,
  },
  {
    program: 'python3',
    name: 'client.py',
    text: `import sys
from kronika import ask, Unknown
method = sys.argv[1]
try:
    print(ask(method, '/x', None if method == 'GET' else {})[0])
except Unknown:
    print('unknown')`,
  },
] as const

const cases: ReadonlyArray<
  readonly [behaviour: string, method: string, replies: ReadonlyArray<Reply>, said: string]
> = [
  ['repeats a read that is refused with Retry-After', 'GET', [starting, overloaded, done], '200'],
  ['repeats a read whose connection was closed', 'GET', ['closes', done], '200'],
  ['gives up a read after five refusals', 'GET', [starting, starting, starting, starting, starting], '503'],
  ['does not repeat a refusal without Retry-After', 'POST', [missing], '404'],
  ['repeats a write that was refused', 'POST', [starting, done], '200'],
  ['does not repeat a write that may stand', 'POST', [overloaded], 'unknown'],
  ['does not repeat a write that met a fault', 'POST', [internal], 'unknown'],
  ['does not repeat a write without an answer', 'PATCH', ['closes'], 'unknown'],
]

describe('the modules of docs/guide/bot.md that ask a host', () => {
  const { path: folder, dispose } = temporaryFolder()
  let left: Array<Reply> = []
  const server = createServer((req, res) => {
    req.resume().on('end', () => answer(res, left.shift() ?? missing))
  })
  before(async () => {
    for (const step of stepsIn('docs/guide/bot.md'))
      if (step.kind === 'file') writeFileSync(join(folder, step.name), step.text)
    for (const { name, text } of clients) writeFileSync(join(folder, name), text)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    server.close()
    dispose()
  })

  const runClient = (program: string, name: string, method: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo
      const env = { ...process.env, URL: `http://127.0.0.1:${port}`, TOKEN: 'x' }
      const child = spawn(program, [name, method], { cwd: folder, env })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => {
          said += part.toString('utf8')
        })
      child.once('error', reject)
      child.once('close', () => resolve(said.trim()))
    })

  for (const { program, name } of clients) {
    const declare = hasProgram(program) ? describe : describe.skip
    declare(`${name}, run by ${program}`, () => {
      for (const [behaviour, method, replies, said] of cases)
        it(behaviour, async () => {
          left = [...replies]
          deepEqual({ said: await runClient(program, name, method), left }, { said, left: [] })
        })
    })
  }
})
