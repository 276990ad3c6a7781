import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import type { ModelAddOptions } from '#src/cli/model.js'
import { evaluationWith, stampWith } from '#test/support/models.js'
import { modelAdd } from './model-command.js'

describe('kronika model add', () => {
  let repo = ''
  let source = ''
  let store = ''
  beforeEach(() => {
    repo = mkdtempSync(join(tmpdir(), 'kronika-model-add-'))
    source = join(repo, 'claims-1')
    store = join(repo, '.svc/state/models')
    mkdirSync(join(repo, '.svc/state'), { recursive: true })
    mkdirSync(source)
    writeFileSync(join(source, 'model.json'), '{"w": 1}')
    writeFileSync(join(source, 'stamp.json'), JSON.stringify(stampWith('claims', 0.9)))
    writeFileSync(join(source, 'evaluation.json'), JSON.stringify(evaluationWith([['a', 1, 0, 0]])))
  })
  afterEach(() => rmSync(repo, { recursive: true, force: true }))

  const add = async (options: Partial<ModelAddOptions> = {}) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
    const wanted = { repo, folder: source, json: false, ...options }
    const code = await modelAdd({ ...output, isTerminal: false })(wanted)
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  const held = (): ReadonlyArray<string> => (existsSync(store) ? readdirSync(store) : [])

  it('brings in the three files, and leaves the others out', async () => {
    writeFileSync(join(source, 'notes.txt'), 'x')
    const { code, out, err } = await add()
    deepEqual(
      [code, out, err],
      [exitCodes.ok, 'added claims-1: model.json, stamp.json, evaluation.json', 'left out: notes.txt'],
    )
    deepEqual(held(), ['claims-1'])
    deepEqual(readdirSync(join(store, 'claims-1')).sort(), ['evaluation.json', 'model.json', 'stamp.json'])
    for (const name of ['model.json', 'stamp.json', 'evaluation.json']) {
      equal(readFileSync(join(store, 'claims-1', name), 'utf8'), readFileSync(join(source, name), 'utf8'))
      equal(statSync(join(store, 'claims-1', name)).mode & 0o077, 0)
    }
  })

  it('takes another id, prints JSON, and tells what keeps it from a promotion', async () => {
    writeFileSync(join(source, 'stamp.json'), '{"surface": "claims"}')
    rmSync(join(source, 'evaluation.json'))
    const { code, out } = await add({ id: 'claims-2', json: true })
    const printed: unknown = JSON.parse(out)
    equal(code, exitCodes.ok)
    deepEqual(printed, {
      id: 'claims-2',
      leftOut: [],
      problems: [
        'stamp.json lacks grade, harvest.grade, harvest.digest, held_out_score.f1',
        'evaluation.json is missing',
      ],
      files: ['model.json', 'stamp.json'],
    })
  })

  it('takes no id twice, and leaves the first as it is', async () => {
    await add()
    writeFileSync(join(source, 'model.json'), '{"w": 2}')
    equal((await add()).code, exitCodes.findings)
    equal(readFileSync(join(store, 'claims-1', 'model.json'), 'utf8'), '{"w": 1}')
    deepEqual(held(), ['claims-1'])
  })

  const refusals: ReadonlyArray<readonly [string, () => Partial<ModelAddOptions>, number]> = [
    ['an id with ../', () => ({ id: '../claims-1' }), exitCodes.usage],
    ['an absolute id', () => ({ id: '/tmp/claims-1' }), exitCodes.usage],
    ['an empty id', () => ({ id: '' }), exitCodes.usage],
    ['an id that names a file of the store', () => ({ id: 'live.json' }), exitCodes.usage],
    ['an id with a control character', () => ({ id: 'a\u001b[31m' }), exitCodes.usage],
    ['a folder that is not there', () => ({ folder: join(repo, 'gone'), id: 'a' }), exitCodes.usage],
    ['a checkout without a state area', () => ({ repo: source }), exitCodes.usage],
    [
      'a link to a folder',
      () => {
        symlinkSync(source, join(repo, 'linked'))
        return { folder: join(repo, 'linked') }
      },
      exitCodes.usage,
    ],
    [
      'a model that is a link',
      () => {
        rmSync(join(source, 'model.json'))
        writeFileSync(join(repo, 'model.json'), '{"w": 1}')
        symlinkSync(join(repo, 'model.json'), join(source, 'model.json'))
        return {}
      },
      exitCodes.findings,
    ],
    [
      'any other link in the folder',
      () => {
        symlinkSync('/etc/passwd', join(source, 'notes.txt'))
        return {}
      },
      exitCodes.findings,
    ],
    [
      'a pipe in place of the model',
      () => {
        rmSync(join(source, 'model.json'))
        execFileSync('mkfifo', [join(source, 'model.json')])
        return {}
      },
      exitCodes.findings,
    ],
    [
      'a half stamp',
      () => {
        truncateSync(join(source, 'stamp.json'), 20)
        return {}
      },
      exitCodes.findings,
    ],
    [
      'a stamp with NaN',
      () => {
        writeFileSync(join(source, 'stamp.json'), '{"held_out_score": {"f1": NaN}}')
        return {}
      },
      exitCodes.findings,
    ],
    [
      'no model',
      () => {
        rmSync(join(source, 'model.json'))
        return {}
      },
      exitCodes.findings,
    ],
    [
      'a huge evaluation',
      () => {
        truncateSync(join(source, 'evaluation.json'), 2 * 1024 * 1024 + 1)
        return {}
      },
      exitCodes.findings,
    ],
    [
      'a store that is a link',
      () => {
        mkdirSync(join(repo, 'elsewhere'))
        symlinkSync(join(repo, 'elsewhere'), store)
        return {}
      },
      exitCodes.stateUnusable,
    ],
  ]
  for (const [what, arrange, code] of refusals)
    it(`refuses ${what}, and brings in nothing`, async () => {
      const wanted = arrange()
      const said = await add(wanted)
      deepEqual([said.code, said.out, held()], [code, '', []])
      ok(said.err.startsWith('kronika model add: ') && !said.err.includes('\u001b'), said.err)
    })

  it('removes drafts that a crash left long ago, and no others', async () => {
    mkdirSync(join(store, '.add-old'), { recursive: true })
    mkdirSync(join(store, '.add-new'))
    utimesSync(join(store, '.add-old'), 1, 1)
    await add()
    deepEqual([...held()].sort(), ['.add-new', 'claims-1'])
  })
})
