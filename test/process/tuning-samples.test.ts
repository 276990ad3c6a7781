import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { TuningExport, TuningRulingsAnswer, TuningSamples } from '#protocol/samples/tuning.js'
import { TuningLine } from '#src/domain/samples/tuning.js'
import { patienceMs } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { gitIn, headIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { proposedText, rowText, setsText } from '#test/support/tuning.js'
import { root } from '#test/tidy/sources.js'

const slugs = Array.from({ length: 40 }, (_, at) => `s${at}`)
const rows = (texts: ReadonlyArray<string>): string => texts.map(text => `${text}\n`).join('')
const files = {
  'sets.json': setsText(['session-summary', 'lore-qa'], { evalShare: 0.3 }),
  'session-summary.jsonl': rows(slugs.map(slug => rowText({ slug }))),
  'session-summary-02.jsonl': rows([
    rowText({ slug: 'dwa', question: 'Co było: s0?', answer: 'Było:  s0.' }),
    rowText({ slug: 'bez', document: null }),
    rowText({ slug: 'ostatni' }),
  ]),
  'lore-qa.jsonl': rows(slugs.slice(0, 10).map(slug => proposedText({ slug, set: 'lore-qa' }))),
}

const bodyOf = <A>(codec: t.Type<A, unknown>, { json, text }: Pick<Reply, 'json' | 'text'>): A => {
  const body = codec.decode(json)
  if (isLeft(body)) throw new Error(text)
  return body.right
}

describe('fine-tuning samples in a git checkout', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let store: Repository
  let node: TestNode | null = null
  beforeEach(async () => {
    folder = temporaryFolder()
    store = repositoryOf(files)
    node = await startNode({
      files: {
        ...nodeFiles,
        '.svc/config.json': JSON.stringify({
          corpora: { probki: store.path },
          server: { selfheal_interval_ms: 0 },
        }),
      },
      allowTree: [store.path],
    })
  })
  afterEach(async () => {
    await node?.stop()
    node = null
    store.dispose()
    folder.dispose()
  })

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await node?.client.ask(`/training/finetune${path}`, { headers })
    ok(reply !== undefined)
    return reply
  }
  const post = async (path: string, body: unknown) => {
    const reply = await node?.client.ask(`/training/finetune/samples${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    ok(reply !== undefined)
    return reply
  }
  const affirm = (slug: string) => ({ id: `demo/lore-qa/${slug}`, outcome: 'affirm' })

  it('are read, ruled on in one commit, and read as ruled', async () => {
    const listed = await get('/samples?set=lore-qa&grade=proposed')
    equal(listed.status, 200, listed.text)
    equal(bodyOf(TuningSamples, listed).filtered, 10)
    const before = headIn(store.path)
    const answer = await post('/confirmations', {
      items: [
        affirm('s1'),
        { id: 'demo/lore-qa/s2', outcome: 'deny', note: 'Zmyślone.' },
        { id: 'demo/lore-qa/s3', outcome: 'correct', content: 'Nie wiadomo.\n### Nagłówek' },
        affirm('brak'),
      ],
    })
    equal(answer.status, 200, answer.text)
    deepEqual(
      bodyOf(TuningRulingsAnswer, answer).items.map(({ result }) => result),
      ['ruled', 'ruled', 'ruled', 'refused'],
    )
    equal(gitIn(store.path, 'rev-list', '--count', `${before}..HEAD`), '1')
    const lines = readFileSync(join(store.path, 'lore-qa.jsonl'), 'utf8').split('\n')
    equal(lines.length, 11)
    equal(lines[0], files['lore-qa.jsonl'].split('\n')[0])
    const corrected = bodyOf(TuningLine, { json: JSON.parse(lines[3] ?? ''), text: '' })
    deepEqual(
      [corrected.grade, corrected.verdict, corrected.proposed_content, corrected.method?.accepted_by?.by],
      ['confirmed', 'affirmed', 'Było: s3.', 'machine'],
    )
    equal(gitIn(store.path, 'status', '--porcelain'), '')
    equal(bodyOf(TuningSamples, await get('/samples?set=lore-qa&grade=proposed')).filtered, 7)
    const again = await post('/confirm', affirm('s1'))
    equal(bodyOf(TuningRulingsAnswer, again).unchanged, 1)
    const other = await post('/confirm', { ...affirm('s1'), outcome: 'deny' })
    equal(other.status, 409, other.text)
    match(other.text, /"acceptedBy":"machine"/u)
    equal(gitIn(store.path, 'rev-list', '--count', `${before}..HEAD`), '1')
  })

  it('take one of two rulings on a row at once, and both of two rows', async () => {
    const [yes, no] = await Promise.all([
      post('/confirm', affirm('s4')),
      post('/confirm', { ...affirm('s4'), outcome: 'deny' }),
    ])
    deepEqual([yes.status, no.status].sort(), [200, 409])
    const both = await Promise.all([post('/confirm', affirm('s5')), post('/confirm', affirm('s6'))])
    deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
  })

  it('leave the tree as it is in a dry run', async () => {
    const before = headIn(store.path)
    const answer = await post('/confirm?dryRun=true', affirm('s1'))
    equal(answer.status, 200, answer.text)
    match(answer.text, /"diff":"--- a\/lore-qa\.jsonl/u)
    deepEqual([headIn(store.path), gitIn(store.path, 'status', '--porcelain')], [before, ''])
  })

  it('cost other rows no 304, and their own row a new validator', async () => {
    const [lore, samples] = [await node?.client.ask('/entities'), await get('/samples')]
    await post('/confirm', affirm('s1'))
    const stays = await node?.client.ask('/entities', {
      headers: { 'If-None-Match': lore?.headers.etag ?? '' },
    })
    equal(stays?.status, 304)
    const changed = await get('/samples', { 'If-None-Match': samples.headers.etag ?? '' })
    equal(changed.status, 200)
    notEqual(changed.headers.etag, samples.headers.etag)
  })

  it('tell in /entities/integrity of a line that is no row, under another validator', async () => {
    const integrity = (headers: Readonly<Record<string, string>> = {}) =>
      node?.client.ask('/entities/integrity', { headers })
    const before = await integrity()
    writeFileSync(join(store.path, 'lore-qa-02.jsonl'), '{"id": 1}\n')
    gitIn(store.path, 'add', '-A')
    gitIn(store.path, 'commit', '-qm', 'broken')
    const after = await integrity({ 'If-None-Match': before?.headers.etag ?? '' })
    equal(after?.status, 200)
    match(after.text, /"TuningSampleUnreadable"[^}]+"corpora\.probki\/lore-qa-02\.jsonl","Line":1/u)
  })

  it('have the arms that a script finds in the files alone; another document moves no row', async function () {
    this.timeout(patienceMs)
    const script = join(root, 'test/process/tuning-arms.py')
    const armsBy = () => {
      const run = spawnSync('python3', [script, store.path, 'session-summary'], { encoding: 'utf8' })
      if (run.error !== undefined) return null
      equal(run.status, 0, run.stderr)
      return JSON.parse(run.stdout) as Readonly<Record<'train' | 'eval', ReadonlyArray<string>>>
    }
    const armsHere = async () => {
      const asked = async (split: string) =>
        (bodyOf(TuningExport, await get(`/export?set=session-summary&split=${split}`)).rows ?? []).map(
          ({ id }) => id,
        )
      return { train: await asked('train'), eval: await asked('eval') }
    }
    const [first, known] = [armsBy(), await armsHere()]
    if (first === null) {
      console.warn('python3 is not on this machine, so nothing else has found the arms')
      return this.skip()
    }
    deepEqual(known, first)
    equal(known.train.length + known.eval.length, 41)
    const path = join(store.path, 'session-summary-02.jsonl')
    const more = rows(slugs.map(slug => rowText({ slug: `nowy-${slug}` })))
    writeFileSync(path, readFileSync(path, 'utf8') + more)
    gitIn(store.path, 'commit', '-aqm', 'more')
    const after = await armsHere()
    deepEqual(after, armsBy())
    equal(after.train.length + after.eval.length, 81)
    for (const arm of ['train', 'eval'] as const)
      deepEqual(
        after[arm].filter(id => !String(id).includes('nowy')),
        known[arm],
      )
  })

  it('are exported with the same bytes for one commit, but for the instant', async () => {
    const asked = async () => (await get('/export?set=session-summary')).text
    const [one, other] = [await asked(), await asked()]
    const timeless = (text: string): string => text.replace(/"servedAt":"[^"]+"/u, '')
    equal(timeless(one), timeless(other))
    ok(one.includes(`"storeCommit":"${headIn(store.path)}"`))
    const line = files['session-summary.jsonl'].split('\n').find(text => one.includes(text))
    ok(line !== undefined && line.length > 100)
  })
})
