import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft, isRight, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { commandByVars } from '#src/node/chat/enactor.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 1
- @rola: Narrator
### Żaneta
- @gameid: 2
### Sobowtór
- @gameid: 3
### Drugi
- @gameid: 3
### Gelu
- @gameid: 6
- @rola: Narrator
### Robot Czatu
- @gameid: 9001
## Role
### Narrator
`,
  'encje/indeks.md': '### Wit Kłos\n- @typ: Postać\n- @należy_do: Brzoza\n- @pu_suma: 22.5\n',
  'sesje/2026.md': '### 2026-06-01, Most, Brzoza\n- PU:\n    - Wit Kłos: 1.5\n',
  [bindingsPath]: JSON.stringify({
    bindings: [
      rowOfBinding('111', '1'),
      rowOfBinding('222', '2'),
      rowOfBinding('333', '3'),
      rowOfBinding('444', '4'),
      rowOfBinding('666', '6'),
    ],
  }),
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

const logs = (count: number): string =>
  Array.from({ length: count }, (_, at) => `    - https://logi.example/${at}\n`).join('')

const header = '2026-06-02, Brama, Brzoza'
const report = `### ${header}

Byłam przy bramie.

- @PU:
    - Wit Kłos: 0,5
- @Zmiany:
    - Wit Kłos
        - @info: Widział bramę.
- Efekty:
    - coś
        - głębiej
`

describe('the workflows of sessions by chat', () => {
  let front: TestFront
  const worker = ['chat.dispatch', 'session.report', 'session.close', 'entity.read']
  beforeEach(async () => {
    const callers = {
      worker: callerWith(worker, 'Robot Czatu'),
      bare: callerWith(['chat.dispatch'], 'Robot Czatu'),
      rich: callerWith([...worker, 'admin.all', 'session.write'], 'Brzoza'),
    }
    front = await testFront({ snapshot: worldOf(files), callers })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? worldOf({}))
  const post = async (path: string, body: object | string, token = 'worker') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await front.client.ask(path, { method: 'POST', body: text, token })
    ok(isFields(reply.json), reply.text)
    return { status: reply.status, json: reply.json, text: reply.text }
  }
  const file = (chatId: string, text: string, more: object = {}, token = 'worker') =>
    post('/workflows/report-session-by-chat', { chatId, reportB64: base64(text), ...more }, token)
  const refuses = async (
    asked: ReturnType<typeof post>,
    status: number,
    error: string,
    said: RegExp,
  ): Promise<void> => {
    const before = texts()
    const answer = await asked
    deepEqual([answer.status, answer.json['error']], [status, error], answer.text)
    match(String(answer.json['detail']), said)
    deepEqual(texts(), before)
  }

  it('file a report as one of the linked person, with every part of it', async () => {
    const { status, json } = await file('222', `\n${report}`)
    equal(status, 200)
    const { file: path, ...told } = json
    deepEqual(told, {
      reported: header,
      line: 1,
      staged: false,
      unresolved: [],
      changed: true,
      announcement: 'Zgłoszenie sesji „2026-06-02, Brama, Brzoza” jest zapisane.',
    })
    match(String(path), /^zgłoszenia\/2026-06-02-[0-9a-f]{16}\.md$/)
    equal(texts()[String(path)], report.replace('0,5', '0.5').replace('- Efekty', '\n- Efekty'))
    const own = { date: '2026-06-02', title: 'Brama', narrators: ['Brzoza'] }
    const fields = await front.client.ask('/sessions/report', {
      method: 'POST',
      token: 'rich',
      body: JSON.stringify(own),
    })
    equal(fields.status, 201, 'another person has a report of their own')
  })

  it('file the same report once, and refuse another one of the session', async () => {
    const dry = await post('/workflows/report-session-by-chat?dryRun=true', {
      chatId: '222',
      reportB64: base64(report),
    })
    deepEqual([dry.json['wouldReport'], dry.json['changed']], [header, true])
    const first = await file('222', report)
    const again = await file('222', report, { interactionId: '77' })
    deepEqual([again.status, again.json['changed'], again.json['file']], [200, false, first.json['file']])
    match(String(again.json['announcement']), /było już zapisane/)
    await refuses(file('222', `${report}Inaczej.\n`), 409, 'NameTaken', /z inną treścią/)
    equal((await file('111', report)).json['changed'], true)
  })

  it('decide by the rights of the person and never by those of the bearer', async () => {
    const roles = JSON.stringify({ roles: { gracz: ['player.read.own'], narrator: ['session.report'] } })
    front.serve(worldOf({ ...files, '.svc/roles.json': roles }))
    await refuses(file('222', report, {}, 'rich'), 403, 'Forbidden', /prawa `session.report`/)
    equal((await file('111', report, {}, 'worker')).status, 200)
    await refuses(file('111', report, {}, 'bare'), 403, 'Forbidden', /lacks the capability session.report/)
  })

  it('let a bearer without chat.dispatch name the account of their own person alone', async () => {
    const held = ['session.report', 'session.close', 'entity.read']
    const player = { ...callerWith(held, 'Gelu'), gameId: '6' }
    const callers = {
      player,
      nameless: callerWith(held),
      'own-only': callerWith([...held, 'chat.dispatch.own']),
      worker: callerWith(worker, 'Robot Czatu'),
    }
    await front.close()
    front = await testFront({ snapshot: worldOf(files), callers })
    const header = '2026-06-01, Most, Brzoza'
    const asks: ReadonlyArray<readonly [string, object]> = [
      ['/workflows/query-by-chat', { intent: 'pu' }],
      ['/workflows/report-session-by-chat', { reportB64: base64(report) }],
      ['/workflows/close-session-by-chat', { header }],
      ['/workflows/close-session-by-chat?dryRun=true', { header }],
    ]
    const others = ['111', '222', '333', '444', '555']
    for (const [path, more] of asks) {
      const told = new Set<string>()
      for (const token of ['player', 'nameless', 'own-only'])
        for (const chatId of token === 'player' ? others : [...others, '666']) {
          const asked = post(path, { chatId, ...more }, token)
          await refuses(asked, 403, 'Forbidden', /linked to its own person\. Use .* chat\.dispatch/)
          const { json } = await asked
          told.add(JSON.stringify([json['detail'], json['required']]))
        }
      equal(told.size, 1, 'the answer tells which accounts are linked')
    }
    const own = await post('/workflows/query-by-chat', { chatId: '666', intent: 'pu' }, 'player')
    match(String(own.json['text']), /„Gelu”/)
    equal((await file('666', report, {}, 'player')).status, 200)
    const close = post('/workflows/close-session-by-chat', { chatId: '666', header }, 'player')
    await refuses(close, 403, 'NotYourSession', /tylko jej Narrator/)
  })

  it('judge the account that a waiting write names by the rights that its bearer has when it is planned', () => {
    const world = worldOf(files)
    const command = commandByVars('close', { SVC_CLOSE_CHAT_ID: '111' }, null)
    const plannedFor = (bearer: Caller) =>
      planCommandBy({ table: routes, planners, admit: () => right(bearer) })(command, world, 0)
    const before = plannedFor(callerWith(worker, 'Robot Czatu'))
    ok(isRight(before), 'the worker closes it')
    const after = plannedFor(callerWith(worker.slice(1), 'Robot Czatu'))
    deepEqual(isLeft(after) ? after.left._tag : null, 'Forbidden')
  })

  it('tell an account without a person what to do', async () => {
    const told = [
      ['555', 403, 'not_linked', /^To konto czatu nie jest powiązane .* Zarejestruj się/],
      ['444', 404, 'no_gracz_for_game_id', /id „4”/],
      ['333', 409, 'ambiguous_game_id', /Id 3 /],
    ] as const
    for (const [chatId, status, error, said] of told) {
      await refuses(file(chatId, report), status, error, said)
      const query = { chatId, intent: 'status' }
      await refuses(post('/workflows/query-by-chat', query), status, error, said)
      await refuses(post('/workflows/close-session-by-chat', { chatId }), status, error, said)
    }
  })

  it('refuse a report that is not one text of one session, and name the line', async () => {
    const bad: ReadonlyArray<readonly [string, string, RegExp]> = [
      ['Sam tekst.', 'ReportRefused', /nie ma nagłówka/],
      [`Wstęp.\n${report}`, 'ReportRefused', /^Wiersz 1: Nad nagłówkiem/],
      [`## Rozdział\n${report}`, 'ReportRefused', /^Wiersz 1: Nad nagłówkiem|drugi nagłówek/],
      [`${report}\n### 2026-06-03, Druga, Brzoza\n`, 'ReportRefused', /drugi nagłówek/],
      ['### Brama\n\nTekst.\n', 'ReportRefused', /To nie jest nagłówek sesji/],
      ['### 2026-02-30, Brama, Brzoza\n', 'ReportRefused', /nie jest dniem/],
      [`${report}\n- @Transfer: 5 talarów, A -> B\n`, 'ReportRefused', /@Transfer i @Intel/],
      [`${report}\n- @Intel:\n    - Wit Kłos: sekret\n`, 'ReportRefused', /@Transfer i @Intel/],
      [`### ${header}\n- @PU:\n    - Wit Kłos: dużo\n`, 'ReportRefused', /^Wiersz 3: /],
      [`### ${header}\n<!-- ukryte -->\n`, 'ReportRefused', /Komentarz/],
      [`### ${header}\n\`\`\`\nbez końca\n`, 'ReportRefused', /^Wiersz 2: /],
      [`### ${header}\nZnak \u0007.\n`, 'ValueRefused', /reportB64/],
      [`### ${header}\n- @PU:\n    - Nikt Taki: 1\n`, 'NameUnresolved', /„Nikt Taki”/],
      [`### ${header}\n- @Zmiany:\n    - Wit Kłos\n        - @nieznany: x\n`, 'TagUnknown', /./],
      [`### ${header}\n- @Logi:\n${logs(501)}`, 'BoundExceeded', /./],
    ]
    for (const [text, error, said] of bad) await refuses(file('222', text), 422, error, said)
  })

  it('tell the player that a report is too long, and how long it may be', async () => {
    const bytes = (count: number) => report + 'a'.repeat(count - Buffer.byteLength(report))
    const long = /^Zgłoszenie jest za długie\. Może mieć najwyżej 45000 bajtów: .* Skróć je i wyślij/
    for (const count of [45_001, 200_000])
      await refuses(file('222', bytes(count)), 422, 'ReportRefused', long)
    equal((await file('222', bytes(45_000))).status, 200)
  })

  it('close by chat with a note of any length that is not above the bound', async () => {
    const note = 'a'.repeat(100_000)
    await refuses(
      post('/workflows/close-session-by-chat', { chatId: '111', note }),
      422,
      'BoundExceeded',
      /./,
    )
  })

  it('take only canonical base64 of UTF-8', async () => {
    const good = base64(report)
    const bad = [
      good.replace(/=*$/u, ''),
      `${good}\n`,
      good.replaceAll('+', '-').replaceAll('/', '_').replace(/^/u, '-'),
      Buffer.from([0x23, 0xff, 0xfe]).toString('base64'),
      'Brama',
    ]
    for (const reportB64 of bad)
      await refuses(
        post('/workflows/report-session-by-chat', { chatId: '222', reportB64 }),
        400,
        'BodyInvalid',
        /przyszło uszkodzone/,
      )
  })

  it('close the named session once, for its narrator, and tell the next one when and by whom', async () => {
    const most = '2026-06-01, Most, Brzoza'
    const close = (chatId: string, more: object = {}, token = 'worker') =>
      post('/workflows/close-session-by-chat', { chatId, ...more }, token)
    await refuses(close('222', { header: most }), 403, 'Forbidden', /prawa `session.close`/)
    await refuses(close('222', { header: most }, 'rich'), 403, 'Forbidden', /prawa `session.close`/)
    await refuses(
      close('111', { header: most }, 'bare'),
      403,
      'Forbidden',
      /lacks the capability session.close/,
    )
    await refuses(close('666', { header: most }), 403, 'NotYourSession', /tylko jej Narrator albo Radny/)
    await refuses(close('555', { header: most }), 403, 'not_linked', /Zarejestruj się/)
    await refuses(close('111', { header: 'Most' }), 404, 'SessionNotFound', /Nie ma sesji/)
    const dry = await post('/workflows/close-session-by-chat?dryRun=true', { chatId: '111' })
    deepEqual(
      [dry.json['WouldClose'], dry.json['announcement']],
      [most, 'Sesja „2026-06-01, Most, Brzoza” da się zamknąć.'],
    )
    const { status, json } = await close('111', { header: most, note: 'Koniec.', interactionId: '77' })
    deepEqual(
      [status, json['Closed'], json['By'], json['announcement']],
      [200, most, 'Brzoza', 'Sesja „2026-06-01, Most, Brzoza” jest zamknięta.'],
    )
    equal(texts()['.svc/close/ledger.jsonl']?.trim().split('\n').length, 1)
    const told = /już zamknięta od 2026-06-15 12:00 UTC; osoba: „Brzoza”/
    await refuses(close('111', { header: most }), 409, 'SessionClosed', told)
  })

  it('close the one open session of the person, and none of several, which the answer lists', async () => {
    const close = (chatId: string) => post('/workflows/close-session-by-chat', { chatId })
    const [one, other] = ['2026-06-01, Most, Brzoza', '2026-06-03, Wieża, Brzoza']
    const both = `${files['sesje/2026.md']}\n### ${other}\n\nOpis.\n`
    front.serve(worldOf({ ...files, 'sesje/2026.md': both }))
    const several = await close('111')
    deepEqual([several.status, several.json['open']], [409, [one, other]])
    match(
      String(several.json['detail']),
      /Masz otwarte sesje \(2\).*\n• 2026-06-01, Most, Brzoza\n• 2026-06-03/,
    )
    equal((await post('/workflows/close-session-by-chat', { chatId: '111', header: one })).status, 200)
    equal((await close('111')).json['Closed'], other)
    await refuses(close('111'), 409, 'SessionNotChosen', /Nie masz żadnej otwartej sesji/)
  })

  it('list every entry that stops a close, and write nothing', async () => {
    const bad =
      '### 2026-06-01, Most, Brzoza\n\n- @Intel:\n    - Nikt Taki: Uciekaj.\n    - Inny Nikt: Wracaj.\n'
    front.serve(worldOf({ ...files, 'sesje/2026.md': bad }))
    const asked = post('/workflows/close-session-by-chat', { chatId: '111' })
    await refuses(
      asked,
      422,
      'CloseBlocked',
      /nie da się zamknąć.*\n• wiersz 4: .*Nikt Taki.*\n• wiersz 5: .*Inny/,
    )
    const dry = await post('/workflows/close-session-by-chat?dryRun=true', { chatId: '111' })
    match(String(dry.json['announcement']), /nie da się zamknąć/)
  })

  it('answer queries about the own data, as the dispatch does', async () => {
    const query = (chatId: string, intent: string) => post('/workflows/query-by-chat', { chatId, intent })
    const { json } = await query('111', 'pu')
    deepEqual([json['chatId'], json['intent']], ['111', 'pu'])
    match(String(json['text']), /^PU Postaci Gracza „Brzoza”:\n• „Wit Kłos”: SUMA 22.50/)
    match(String((await query('222', 'pu')).json['text']), /^Gracz „Żaneta” nie ma żadnej Postaci/)
    match(String((await query('111', 'open')).json['text']), /2026-06-01, Most, Brzoza/)
    await refuses(query('111', 'wszystko'), 400, 'BodyInvalid', /intent/)
  })

  it('refuse ids of the chat that come as numbers, in every row that takes one', async () => {
    const reportB64 = base64(report)
    const bodies: ReadonlyArray<readonly [string, (id: string) => string]> = [
      ['/workflows/query-by-chat', id => `{"chatId": ${id}, "intent": "pu"}`],
      ['/workflows/report-session-by-chat', id => `{"chatId": ${id}, "reportB64": "${reportB64}"}`],
      [
        '/workflows/report-session-by-chat',
        id => `{"chatId": "222", "interactionId": ${id}, "reportB64": "${reportB64}"}`,
      ],
      ['/workflows/close-session-by-chat', id => `{"chatId": ${id}}`],
      ['/workflows/register-by-chat', id => `{"chatId": ${id}, "guildId": "900", "gameId": "4"}`],
      ['/workflows/whoami-by-chat', id => `{"chatId": ${id}}`],
      ['/workflows/assign-by-chat', id => `{"chatId": "1", "targetChatId": ${id}, "gameId": "4"}`],
      ['/auth/link', id => `{"chatId": ${id}, "gameId": "4"}`],
      [
        '/chat/dispatch',
        id => `{"interactionId": "5", "sentAtEpochMs": 1, "vars": {"SVC_CLOSE_CHAT_ID": ${id}}}`,
      ],
    ]
    for (const [path, body] of bodies)
      for (const id of ['222', '9007199254740993']) {
        const answer = await front.client.ask(path, { method: 'POST', body: body(id) })
        deepEqual([path, answer.status], [path, 400], answer.text)
      }
    deepEqual(texts(), textsOf(worldOf(files)))
  })
})
