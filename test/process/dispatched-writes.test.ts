import { deepEqual, equal, match } from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { type ChatDouble, chatDouble } from '#test/support/chat/chat-double.js'
import { type Daemon, eventually, postJson, startDaemon } from '#test/support/daemon.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { jsonField } from '#test/support/json-field.js'
import { cloneOf, gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const ledger = '.svc/close/ledger.jsonl'
const most = '2026-06-01, Most, Brzoza'
const files = {
  '.svc/format.json': '{"format": 2}\n',
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 1
- @rola: Narrator
### Żaneta
- @gameid: 2
### Gelu
- @gameid: 3
- @rola: Narrator
## Role
### Narrator
`,
  'encje/indeks.md': '### Wit\n- @typ: Postać\n- @należy_do: Brzoza\n- @pu_startowe: 20\n',
  'sesje/2026.md': `### ${most}\n\nOpis.\n\n### 2026-06-02, Pierwsza, Gelu\n\nOpis.\n\n### 2026-06-03, Druga, Gelu\n\nOpis.\n`,
  [bindingsPath]: JSON.stringify({
    bindings: [rowOfBinding('111', '1'), rowOfBinding('222', '2'), rowOfBinding('333', '3')],
  }),
}
const report = Buffer.from('### 2026-06-05, Brama, Brzoza\n\nByło cicho.\n').toString('base64')

describe('dispatched closes and reports of the built daemon', () => {
  let double: ChatDouble
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let daemon: Daemon | null = null
  beforeEach(async () => {
    double = await chatDouble()
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    const config = {
      server: { publish_mode: 'push' },
      integrations: { chat: { api_url: double.url, client_id: '42' } },
    }
    repository = repositoryOf({ ...files, '.svc/config.json': JSON.stringify(config) })
    gitIn(folder.path, 'clone', '-q', '--bare', repository.path, bare)
    repository.git('remote', 'add', 'origin', bare)
  })
  afterEach(async () => {
    await daemon?.stop()
    daemon = null
    await double.close()
    repository.dispose()
    folder.dispose()
  })

  const start = async (): Promise<void> => {
    daemon = await startDaemon(['serve', '--repo', repository.path])
    const { ready } = daemon
    await eventually(
      async () => (await fetch(`${ready.url}/health`)).json(),
      health => jsonField(health, 'mode') === 'ReadWrite',
    )
  }
  const dispatch = async (id: string, vars: Readonly<Record<string, string>>): Promise<void> => {
    if (daemon === null) throw new Error('no daemon runs')
    const sent = { interactionId: id, sentAtEpochMs: Date.now() }
    const body = { ...sent, vars: { ...vars, SVC_INTERACTION_TOKEN: `token-${id}` } }
    equal((await postJson(daemon, '/chat/dispatch', body)).status, 202)
  }
  const texts = (id: string): ReadonlyArray<string> =>
    double.requests
      .filter(({ path }) => path.split('/')[3] === `token-${id}`)
      .map(({ body }) => String(jsonField(JSON.parse(body), 'content')))
  /** The one text that the player of an interaction reads. */
  const answerTo = async (id: string): Promise<string> => {
    const sent = await eventually(
      () => Promise.resolve(texts(id)),
      all => all.length > 0,
    )
    equal(sent.length, 1)
    return sent[0] ?? ''
  }
  const close = (id: string, chatId: string, more: Readonly<Record<string, string>> = {}) =>
    dispatch(id, { SVC_CLOSE_CHAT_ID: chatId, ...more })
  const closings = (): ReadonlyArray<string> =>
    gitIn(bare, 'log', '--format=%(trailers:key=Svc-Interaction,valueonly)', 'main', '--', ledger)
      .split('\n')
      .filter(line => line !== '')

  it('answer the player with what happened, in each case, and write once', async () => {
    await start()
    const asked: ReadonlyArray<readonly [id: string, vars: Readonly<Record<string, string>>, said: RegExp]> =
      [
        ['1', { SVC_CLOSE_CHAT_ID: '555' }, /^To konto czatu nie jest powiązane .* Zarejestruj się/],
        ['2', { SVC_CLOSE_CHAT_ID: '222' }, /Poproś o nadanie prawa `session.close`/],
        [
          '3',
          { SVC_CLOSE_CHAT_ID: '333', SVC_CLOSE_HEADER: most },
          /może zamknąć tylko jej Narrator albo Radny/,
        ],
        [
          '4',
          { SVC_CLOSE_CHAT_ID: '333' },
          /otwarte sesje \(2\).*\n• 2026-06-02, Pierwsza, Gelu\n• 2026-06-03, Druga/,
        ],
        [
          '5',
          { SVC_CLOSE_CHAT_ID: '111', SVC_CLOSE_NOTE: 'Koniec.' },
          /^Sesja „2026-06-01, Most, Brzoza” jest zamknięta/,
        ],
        [
          '6',
          { SVC_CLOSE_CHAT_ID: '111', SVC_CLOSE_HEADER: most },
          /już zamknięta od .* UTC; osoba: „Brzoza”/,
        ],
        ['7', { SVC_CLOSE_CHAT_ID: '111' }, /Nie masz żadnej otwartej sesji/],
        [
          '8',
          { SVC_REPORTER_CHAT_ID: '222', SVC_REPORT_B64: report },
          /^Zgłoszenie sesji „2026-06-05, Brama, Brzoza” jest/,
        ],
        ['9', { SVC_REPORTER_CHAT_ID: '222', SVC_REPORT_B64: report }, /było już zapisane/],
        ['10', { SVC_REPORTER_CHAT_ID: '222', SVC_REPORT_B64: 'Brama' }, /przyszło uszkodzone/],
      ]
    for (const [id, vars, said] of asked) {
      await dispatch(id, vars)
      match(await answerTo(id), said)
    }
    deepEqual(closings(), ['5'], 'the remote has the close when the player reads of it')
    const reports = repository.git(
      'log',
      '--format=%(trailers:key=Svc-Interaction,valueonly)',
      '--',
      'zgłoszenia',
    )
    equal(reports.trim(), '8')
  })

  it('say that a close failed while the remote is away, and nothing is written', async () => {
    await start()
    repository.git('remote', 'set-url', 'origin', join(folder.path, 'gone.git'))
    const before = repository.head()
    await close('20', '111')
    match(await answerTo('20'), /^Nie udało się wykonać tego polecenia/)
    equal(repository.head(), before)
  })

  for (const lands of [true, false])
    it(`close once after a kill during the push, which ${lands ? 'lands' : 'is lost'}, and answer once`, async () => {
      // The branch of the remote has moved before the one hook runs, and not before the other.
      const hook = join(bare, 'hooks', lands ? 'post-receive' : 'pre-receive')
      const [held, go] = [join(folder.path, 'held'), join(folder.path, 'go')]
      const wait = `while [ ! -e '${go}' ]; do sleep 0.05; done`
      writeFileSync(hook, `#!/bin/sh\n[ -e '${held}' ] && exit 0\n: > '${held}'\n${wait}\nexit 1\n`)
      chmodSync(hook, 0o755)
      await start()
      await close('30', '111')
      await eventually(
        () => Promise.resolve(existsSync(held)),
        isHeld => isHeld,
      )
      await daemon?.stop('SIGKILL')
      writeFileSync(go, '')
      equal(closings().length, lands ? 1 : 0)
      await start()
      match(await answerTo('30'), lands ? /jest już zapisane/ : /jest zamknięta/)
      deepEqual(closings(), ['30'])
      const clone = join(folder.path, 'clone')
      cloneOf(bare, clone)
      equal(gitIn(clone, 'show', `HEAD:${ledger}`).trim().split('\n').length, 1)
      equal(texts('30').length, 1)
    })
})
