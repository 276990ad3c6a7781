import { deepEqual } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Workload } from '#protocol/host/config.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { runWorkload } from './workload-command.js'

const node = process.execPath
const exits = (code: number): ReadonlyArray<string> => [node, '-e', `process.exit(${code})`]
const killed: ReadonlyArray<string> = [node, '-e', "process.kill(process.pid, 'SIGKILL')"]

describe('kronika workload', () => {
  let repo = ''
  beforeEach(async () => {
    repo = mkdtempSync(join(tmpdir(), 'kronika-workload-'))
    mkdirSync(join(repo, '.svc'))
    writeFileSync(join(repo, '.svc/format.json'), '{"format": 2}')
    await gitText(['init', '--quiet', '-b', 'main', '.'], { cwd: repo })
  })
  afterEach(() => rmSync(repo, { recursive: true, force: true }))

  const commit = async (config: string): Promise<void> => {
    writeFileSync(join(repo, '.svc/config.json'), config)
    await gitText(['add', '-A'], { cwd: repo })
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid']
    await gitText([...author, 'commit', '--quiet', '-m', 'config'], { cwd: repo })
  }
  const run = async (workload: Workload, command: ReadonlyArray<string>) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
    const code = await runWorkload({ ...output, isTerminal: false })({ repo, workload, command })
    return { code, out, err: err.map(text => text.replace('kronika workload: ', '').replace(node, 'node')) }
  }

  it('runs the command where the committed owner is ci, and leaves with its code', async () => {
    await commit('{"schedules": {"map_checkup": "ci"}}')
    deepEqual(await run('map_checkup', exits(7)), {
      code: 7,
      out: [],
      err: ['the owner of map_checkup is ci; running node.'],
    })
    deepEqual(await run('settlement', exits(0)), {
      code: 0,
      out: [],
      err: ['the owner of settlement is ci, by default; running node.'],
    })
    deepEqual((await run('settlement', killed)).code, 137)
  })

  it('says what could not be started', async () => {
    const said = (first: string, why: string) => [
      `the owner of settlement is ci, by default; running ${first}.`,
      `${first} ${why}`,
    ]
    await commit('{}')
    const gone = 'kronika-no-such-command'
    deepEqual(await run('settlement', [gone]), {
      code: 127,
      out: [],
      err: said(gone, 'was not found; a path is one from the current folder.'),
    })
    const file = join(repo, '.svc/config.json')
    deepEqual(await run('settlement', [file]), {
      code: 126,
      out: [],
      err: said(file, 'could not be started; is it executable?'),
    })
  })

  it('runs nothing elsewhere and leaves with 0', async () => {
    await commit('{"schedules": {"settlement": "off"}}')
    deepEqual(await run('settlement', exits(7)), {
      code: 0,
      out: [],
      err: ['the owner of settlement is off, so CI runs nothing.'],
    })
    deepEqual((await run('map_checkup', exits(7))).code, 0)
  })

  it('goes by the commit, not by the work tree', async () => {
    await commit('{"schedules": {"settlement": "off"}}')
    writeFileSync(join(repo, '.svc/config.json'), '{"schedules": {"settlement": "ci"}}')
    deepEqual((await run('settlement', exits(7))).code, 0)
  })

  it('prints the owner where no command is named', async () => {
    await commit('{"schedules": {"map_checkup": "off"}}')
    deepEqual(await run('map_checkup', []), { code: 0, out: ['off'], err: [] })
  })

  it('goes by the default where the owner is invalid or the file does not parse, and says so', async () => {
    await commit('{"schedules": {"settlement": "fleet"}}')
    const invalid = await run('settlement', exits(7))
    deepEqual([invalid.code, invalid.err.length], [7, 2])
    await commit('{')
    const broken = await run('map_checkup', exits(7))
    deepEqual([broken.code, broken.err.length], [0, 2])
  })

  it('leaves with 64 where there is no lore', async () => {
    rmSync(join(repo, '.git'), { recursive: true })
    rmSync(join(repo, '.svc'), { recursive: true })
    deepEqual((await run('settlement', exits(7))).code, 64)
  })

  it('leaves with 64 where the lore has no commit: CI named the wrong folder', async () => {
    deepEqual((await run('settlement', exits(7))).code, 64)
    rmSync(join(repo, '.git'), { recursive: true })
    deepEqual((await run('settlement', exits(7))).code, 64)
  })
})
