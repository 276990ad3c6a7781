import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { AuditLine } from '#protocol/host/events.js'
import { samplesOfSurface } from '#src/domain/models/floors.js'
import { stateOf } from '#src/domain/models/store.js'
import type { ChangeOf } from '#src/ports/models.js'
import { modelSources, stampWith } from '#test/support/models.js'
import { type ModelSources, type NodeModels, openModels } from './models.js'
import { type StoreDisk, storeDisk } from './store-files.js'

const by = { name: 'Solmyr', gracz: 'Solmyr', kind: 'session' }
const change = (nowMs: number, dryRun = false): ChangeOf => ({ by, dryRun, nowMs })
const noon = Date.parse('2026-06-15T12:00:00Z')

describe('the models of a host', () => {
  let state = ''
  let root = ''
  let audited: Array<AuditLine> = []
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'kronika-models-'))
    root = join(state, 'models')
    audited = []
    mkdirSync(root)
  })
  afterEach(() => rmSync(state, { recursive: true, force: true }))

  const put = (id: string, f1: number, changes: object = {}): void => {
    mkdirSync(join(root, id))
    writeFileSync(join(root, id, 'model.json'), JSON.stringify({ id }))
    writeFileSync(join(root, id, 'stamp.json'), JSON.stringify(stampWith('claims', f1, changes)))
  }
  const open = async (given: Partial<ModelSources> = {}): Promise<NodeModels> => {
    const audit = (line: AuditLine): void => void audited.push(line)
    const models = openModels(
      modelSources(new Map(), { disk: storeDisk(root), audit, nowMs: () => noon, ...given }),
    )
    await models.ports.turn(new AbortController().signal)
    return models
  }
  const promote = ({ view }: NodeModels, artifact: string, of = change(noon)) =>
    view.promote({ artifact, surface: 'claims', ...samplesOfSurface(null, 'claims') }, of)
  const rollback = ({ view }: NodeModels, of = change(noon)) => view.rollback('claims', of)
  const stateNow = ({ view }: NodeModels) => stateOf(view.store(), 'claims', null)
  const shown = (models: NodeModels) => {
    const { live, previous, proposer, reason } = stateNow(models)
    return [live?.id ?? null, previous?.id ?? null, proposer, reason]
  }
  /** Every file below the state area, with its bytes. */
  const filesOf = (folder = state): ReadonlyArray<string> =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => `${path} ${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`)
      .sort()
  const liveFile = (): unknown => JSON.parse(readFileSync(join(root, 'live.json'), 'utf8'))

  it('begin with frames only, and have what was promoted after a restart', async () => {
    put('one', 0.8)
    const models = await open()
    deepEqual(shown(models), [null, null, 'frames-only', 'NoLiveArtifact'])
    equal((await promote(models, 'one'))._tag, 'Right')
    deepEqual(shown(models), ['one', null, 'model', null])
    deepEqual(shown(await open()), ['one', null, 'model', null])
    deepEqual(
      audited.map(({ action, actor, artifact }) => [action, actor, artifact]),
      [['model.promote', 'Solmyr', 'one']],
    )
  })

  it('go back and forth between two artifacts', async () => {
    put('one', 0.8)
    put('two', 0.9)
    const models = await open()
    await promote(models, 'one')
    const early = await rollback(models)
    ok(isLeft(early) && early.left._tag === 'NoRetainedArtifact')
    await promote(models, 'two')
    deepEqual(shown(models), ['two', 'one', 'model', null])
    await rollback(models)
    deepEqual(shown(models), ['one', 'two', 'model', null])
    await rollback(models)
    deepEqual(shown(models), ['two', 'one', 'model', null])
    const seqs = models.view.store().ledger.rows.map(({ seq, kind }) => [seq, kind])
    deepEqual(seqs, [
      [1, 'promote'],
      [2, 'promote'],
      [3, 'rollback'],
      [4, 'rollback'],
    ])
  })

  it('say what was live at a time', async () => {
    put('one', 0.8)
    put('two', 0.9)
    const models = await open()
    await promote(models, 'one', change(noon))
    await promote(models, 'two', change(noon + 1_000))
    const store = models.view.store()
    const liveAt = (untilMs: number) => {
      const instant = models.view.store().ledger.rows[0]?.at
      if (instant === undefined) throw new Error('the ledger is empty')
      return stateOf(store, 'claims', { instant, untilMs }).live?.id ?? null
    }
    deepEqual([noon - 1, noon, noon + 999, noon + 1_000].map(liveAt), [null, 'one', 'one', 'two'])
  })

  it('refuse what is live already, and leave the disk as it is for every refusal and dry run', async () => {
    put('one', 0.8)
    put('two', 0.9)
    put('bad', 0.9, { grade: 'proposed' })
    const models = await open()
    await promote(models, 'one')
    await promote(models, 'two')
    const before = filesOf()
    const again = await promote(models, 'two')
    ok(isLeft(again) && again.left._tag === 'ModelAlreadyLive')
    const bad = await promote(models, 'bad')
    ok(isLeft(bad) && bad.left._tag === 'ModelGradeRefused')
    const tried = await promote(models, 'one', change(noon, true))
    ok(isLeft(tried) && tried.left._tag === 'ModelWouldRegress')
    const back = await rollback(models, change(noon, true))
    ok(!isLeft(back) && !back.right.applied && back.right.artifact === 'one')
    deepEqual(filesOf(), before)
    deepEqual(shown(models), ['two', 'one', 'model', null])
  })

  it('promote once where two ask at once', async () => {
    put('one', 0.8)
    const models = await open()
    const both = await Promise.all([promote(models, 'one'), promote(models, 'one')])
    deepEqual(
      both.map(outcome => (isLeft(outcome) ? outcome.left._tag : 'applied')),
      ['applied', 'ModelAlreadyLive'],
    )
    equal(models.view.store().ledger.rows.length, 1)
  })

  const damages: ReadonlyArray<readonly [string, (folder: string) => void]> = [
    ['its folder is gone', folder => rmSync(folder, { recursive: true })],
    ['its model has changed', folder => appendFileSync(join(folder, 'model.json'), ' ')],
    ['its stamp has changed', folder => appendFileSync(join(folder, 'stamp.json'), ' ')],
    ['it got an evaluation', folder => writeFileSync(join(folder, 'evaluation.json'), '{"documents": []}')],
    ['its model is half', folder => truncateSync(join(folder, 'model.json'), 3)],
    [
      'its model is a link to the same bytes',
      folder => {
        writeFileSync(join(state, 'elsewhere.json'), readFileSync(join(folder, 'model.json')))
        rmSync(join(folder, 'model.json'))
        symlinkSync(join(state, 'elsewhere.json'), join(folder, 'model.json'))
      },
    ],
  ]
  for (const [what, damage] of damages)
    it(`work with frames only where ${what}, and do not roll back to it`, async () => {
      put('one', 0.8)
      put('two', 0.9)
      const models = await open()
      await promote(models, 'one')
      damage(join(root, 'one'))
      deepEqual(shown(await open()), ['one', null, 'frames-only', 'LiveArtifactUnusable'])
      await models.ports.turn(new AbortController().signal)
      deepEqual(shown(models).slice(2), ['frames-only', 'LiveArtifactUnusable'])
      await promote(models, 'two')
      const back = await rollback(models)
      ok(isLeft(back) && back.left._tag === 'RetainedArtifactMissing')
    })

  it('never look through a folder that is a link, or beside their folder', async () => {
    put('one', 0.8)
    mkdirSync(join(state, 'outside'))
    for (const name of ['model.json', 'stamp.json'])
      writeFileSync(join(state, 'outside', name), readFileSync(join(root, 'one', name)))
    symlinkSync(join(state, 'outside'), join(root, 'linked'))
    const models = await open()
    for (const id of ['linked', '../outside', '../models/one', 'one/', './one', '', 'one\u0000']) {
      const outcome = await promote(models, id)
      ok(isLeft(outcome) && outcome.left._tag === 'ModelArtifactUnusable', id)
    }
    deepEqual(
      [...models.view.store().artifacts.values()].filter(one => one.isUsable).map(({ id }) => id),
      ['one'],
    )
  })

  it('stop at a file that is too large', async () => {
    put('huge', 0.8)
    truncateSync(join(root, 'huge', 'model.json'), 32 * 1024 * 1024 + 1)
    const [huge] = [...(await open()).view.store().artifacts.values()]
    deepEqual(huge?.problems, ['model.json is too large', 'evaluation.json is missing'])
  })

  it('write live.json again by the ledger where a crash came between the two', async () => {
    put('one', 0.8)
    put('two', 0.9)
    const models = await open()
    await promote(models, 'one')
    const early = readFileSync(join(root, 'live.json'), 'utf8')
    await promote(models, 'two')
    const late = liveFile()
    writeFileSync(join(root, 'live.json'), early)
    audited = []
    const restarted = await open()
    deepEqual([liveFile(), shown(restarted)[0]], [late, 'two'])
    deepEqual(
      audited.map(({ action, seq, healed }) => [action, seq, healed]),
      [['model.promote', 2, 'live.json']],
    )
    audited = []
    await open()
    deepEqual(audited, [])
  })

  it('believe the ledger and not live.json: what has no row is not live', async () => {
    put('one', 0.8)
    const models = await open()
    await promote(models, 'one')
    rmSync(join(root, 'promotions.jsonl'))
    deepEqual(shown(await open()).slice(0, 1), [null])
    deepEqual(liveFile(), { seq: 0, surfaces: {} })
  })

  it('keep a torn line and what was before it, and go on behind it', async () => {
    put('one', 0.8)
    put('two', 0.9)
    await promote(await open(), 'one')
    appendFileSync(join(root, 'promotions.jsonl'), '{"v":1,"seq":2,"at":"2026')
    const models = await open()
    deepEqual([shown(models)[0], models.view.store().ledger.unreadable], ['one', 1])
    await promote(models, 'two')
    const restarted = await open()
    deepEqual([shown(restarted)[0], restarted.view.store().ledger.unreadable], ['two', 1])
    ok(readFileSync(join(root, 'promotions.jsonl'), 'utf8').includes('"at":"2026\n{'))
  })

  const notRows = ['null', '[]', '{}', 'x', '{"__proto__": {}}', '{"v": 2}']
  for (const line of notRows)
    it(`count ${line} in the ledger as unreadable, and change nothing for it`, async () => {
      put('one', 0.8)
      await promote(await open(), 'one')
      appendFileSync(join(root, 'promotions.jsonl'), `${line}\n`)
      const models = await open()
      deepEqual([shown(models)[0], models.view.store().ledger.unreadable], ['one', 1])
    })

  it('take a row with a number that was there for none', async () => {
    put('one', 0.8)
    await promote(await open(), 'one')
    const path = join(root, 'promotions.jsonl')
    appendFileSync(path, readFileSync(path, 'utf8').replace('"by":"Solmyr"', '"by":"Nobody"'))
    const { ledger } = (await open()).view.store()
    deepEqual([ledger.rows.map(row => row.by), ledger.unreadable], [['Solmyr'], 1])
  })

  it('change nothing where the ledger is a link', async () => {
    put('one', 0.8)
    writeFileSync(join(state, 'other.jsonl'), '')
    symlinkSync(join(state, 'other.jsonl'), join(root, 'promotions.jsonl'))
    const models = await open()
    const outcome = await promote(models, 'one')
    ok(isLeft(outcome) && outcome.left._tag === 'DiskRefused')
    equal(readFileSync(join(state, 'other.jsonl'), 'utf8'), '')
  })

  it('answer DiskRefused where the row cannot be written, and have made no change', async () => {
    put('one', 0.8)
    const disk = storeDisk(root)
    const full: StoreDisk = {
      ...disk,
      append: () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
    }
    const models = await open({ disk: full })
    const outcome = await promote(models, 'one')
    ok(isLeft(outcome) && outcome.left._tag === 'DiskRefused')
    deepEqual([shown(models)[0], existsSync(join(root, 'live.json')), audited], [null, false, []])
  })

  it('stand by a change whose live.json could not be written, and write it at the next look', async () => {
    put('one', 0.8)
    const disk = storeDisk(root)
    let isFull = true
    const models = await open({
      disk: {
        ...disk,
        replaceLive: text => {
          if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
          disk.replaceLive(text)
        },
      },
    })
    equal((await promote(models, 'one'))._tag, 'Right')
    equal(existsSync(join(root, 'live.json')), false)
    isFull = false
    await models.ports.turn(new AbortController().signal)
    ok(existsSync(join(root, 'live.json')))
  })

  it('create nothing where the state area is gone', async () => {
    const models = await open()
    rmSync(state, { recursive: true })
    const outcome = await promote(models, 'one')
    ok(isLeft(outcome) && outcome.left._tag === 'ModelArtifactUnusable')
    throws(() => storeDisk(root).append('runs', '{}'))
    const run = await models.view.startRun('claims', by, noon)
    ok(isLeft(run) && run.left._tag === 'DiskRefused')
    equal(existsSync(state), false)
  })

  it('have one version for the same files, and another after each change of them', async () => {
    put('one', 0.8)
    const versions = [(await open()).view.store().version]
    equal((await open()).view.store().version, versions[0])
    const models = await open()
    await promote(models, 'one')
    versions.push(models.view.store().version)
    await models.ports.turn(new AbortController().signal)
    versions.push(models.view.store().version)
    equal((await open()).view.store().version, versions[2])
    put('two', 0.9)
    await models.ports.turn(new AbortController().signal)
    versions.push(models.view.store().version)
    writeFileSync(join(root, 'frames.json'), '{"surfaces": {}}')
    await models.ports.turn(new AbortController().signal)
    versions.push(models.view.store().version)
    equal(new Set(versions).size, versions.length)
  })

  it('read again only what has changed', async () => {
    put('one', 0.8)
    put('two', 0.9)
    const disk = storeDisk(root)
    const read: Array<string> = []
    const models = await open({
      disk: {
        ...disk,
        readArtifact: id => {
          read.push(id)
          return disk.readArtifact(id)
        },
      },
    })
    const before = models.view.store()
    await models.ports.turn(new AbortController().signal)
    equal(models.view.store(), before)
    appendFileSync(join(root, 'two', 'stamp.json'), ' ')
    await models.ports.turn(new AbortController().signal)
    deepEqual(read, ['one', 'two', 'two'])
  })

  it('keep what they read where the disk refuses a look, and end no job for it', async () => {
    put('one', 0.8)
    const disk = storeDisk(root)
    let isBroken = false
    const ended: Array<string> = []
    const models = await open({
      disk: { ...disk, list: () => (isBroken ? Promise.reject(new Error('EIO')) : disk.list()) },
      jobs: {
        ...modelSources(new Map()).jobs,
        end: id => {
          ended.push(id)
          return true
        },
        unfinished: () => (isBroken ? [runningJob] : []),
      },
    })
    isBroken = true
    await models.ports.turn(new AbortController().signal)
    deepEqual([models.view.store().artifacts.size, ended], [1, []])
    await rejects(promote(models, 'one'))
  })
})

const runningJob = {
  id: 'run-1',
  kind: 'model.run',
  state: 'running',
  createdMs: 0,
  startedMs: 0,
  endedMs: null,
  result: null,
  error: null,
  detail: null,
} as const
