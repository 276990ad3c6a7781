import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const canary = (where: string): string => `canary${where}0123456789`
const planted = [
  'config',
  'environment',
  'bearer',
  'basic',
  'session',
  'query',
  'name',
  'body',
  'path',
  'claim',
  'remote',
  'cookie',
  'webhook',
  'key',
]

const webhook = `https://chat.example/api/webhooks/1/${canary('webhook')}`

/** Lore with credentials where they may stand, and where they may not. */
const lore = {
  'encje/indeks.md': [
    '### Kupiec Bogdan',
    '- @typ: NPC',
    `- @prfwebhook: https://chat.example/${canary('webhook')}`,
    `- @info: ${webhook}`,
  ],
  'kontrybutorzy.md': [
    '## Gracz',
    '### Brzoza',
    '- @gameid: 41001',
    `- @klucz_api: ${canary('key')}`,
    `- @klucz: ${canary('key')}`,
  ],
  'Gracze.md': [`hasło: ${canary('webhook')}`],
  'sesje/a.md': [
    '### 2026-05-10, Most, Brzoza',
    '',
    webhook,
    '',
    '- @Intel:',
    `    - Kupiec Bogdan: apik_${canary('key')}`,
  ],
}

/** Routes that tell what was recorded, changed or announced. */
const tellers = [
  '/logs/operational',
  '/logs/request',
  '/logs/audit',
  '/events/journal',
  '/audit/changes',
  '/audit/notifications',
  '/entities/Kupiec%20Bogdan/history',
  '/health',
]

const textsBelow = (folder: string): ReadonlyArray<readonly [path: string, text: string]> =>
  readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return textsBelow(path)
    return [[path, readFileSync(path, 'utf8')] as const]
  })

describe('secrets', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({
        server: { selfheal_interval_ms: 50, sync_remote: 'origin', port: canary('config') },
        integrations: { chat: { token: canary('config') } },
      }),
      ...Object.fromEntries(Object.entries(lore).map(([path, lines]) => [path, lines.join('\n')])),
    })
    repository.git('remote', 'add', 'origin', `https://user:${canary('remote')}@127.0.0.1:1/lore.git`)
    daemon = await startDaemon(['serve', '--repo', repository.path], { SVC_TOKEN: canary('environment') })
    const ask = (target: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${daemon.ready.url}${target}`, init)
    const mine = { authorization: `Bearer ${daemon.token}` }
    await ask('/people', { headers: { authorization: `Bearer ${canary('bearer')}` } })
    await ask('/people', { headers: { authorization: `Basic ${canary('basic')}` } })
    await ask('/people', { headers: { authorization: `Bearer sess_${canary('session')}` } })
    await ask('/people', { headers: { ...mine, cookie: canary('cookie') } })
    await ask(`/entities?type=NPC&name=${canary('query')}&token=${canary('query')}&${canary('name')}=1`, {
      headers: mine,
    })
    await ask('/sessions/batch', {
      method: 'POST',
      headers: { ...mine, 'content-type': 'application/json' },
      body: JSON.stringify({ headers: [canary('body')], token: canary('body') }),
    })
    await ask(`/${canary('path')}`, { headers: mine })
    await ask(`/api-keys/claim/${canary('claim')}`, { headers: mine })
    await ask('/sync', {
      method: 'POST',
      headers: { ...mine, 'content-type': 'application/json' },
      body: '{}',
    })
  })
  after(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('planted everywhere, are in nothing that the host writes or tells', async () => {
    await eventually(
      () => getJson(daemon, '/logs/request?limit=1000'),
      ({ body }) => JSON.stringify(body).includes('/sessions/batch'),
    )
    const told: Array<readonly [string, string]> = []
    for (const target of tellers) told.push([target, JSON.stringify((await getJson(daemon, target)).body)])
    told.push(['/metrics', await (await fetch(`${daemon.ready.ops}/metrics`)).text()])
    equal(await daemon.stop(), 0)
    told.push(['stderr', daemon.stderr()], ['stdout', daemon.stdout()])
    told.push(
      ...textsBelow(join(daemon.ready.state, 'streams')),
      ...textsBelow(join(daemon.ready.state, 'events')),
    )
    const whole = told.map(([, text]) => text).join('\n')
    for (const word of [
      'snapshot:published',
      'http.credential_refused',
      'credential.refused',
      '/sessions/batch',
      '"secret"',
      'Kupiec Bogdan',
    ])
      ok(whole.includes(word), `${word} is told`)
    const found = [...planted.map(canary), daemon.token].flatMap(secret =>
      told.filter(([, text]) => text.includes(secret)).map(([where]) => `${secret} in ${where}`),
    )
    deepEqual(found, [])
  })
})
