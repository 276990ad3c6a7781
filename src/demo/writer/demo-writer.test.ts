import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { gitText } from '#src/adapters/git/git-command.js'
import type { DemoWorldOptions } from '../world.js'
import { writeDemo } from './demo-writer.js'
import { writeRepository } from './fast-import.js'

describe('the demo writer', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kronika-demo-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const written = async (name: string, options: DemoWorldOptions) => {
    const cwd = join(root, name)
    assert.ok(isRight(await writeDemo(cwd, options)))
    const ask = (...args: ReadonlyArray<string>): Promise<string> => gitText(args, { cwd })
    return {
      tree: await ask('rev-parse', 'HEAD^{tree}'),
      head: await ask('rev-parse', 'HEAD'),
      commits: Number(await ask('rev-list', '--count', 'main')),
      status: await ask('status', '--porcelain'),
      works: await gitText(['rev-parse', 'HEAD'], { cwd: join(cwd, 'dziela') }),
      annotations: await gitText(['rev-parse', 'HEAD'], { cwd: join(cwd, 'adnotacje') }),
    }
  }

  for (const [name, scale, commits] of [
    ['for a newcomer', undefined, 120],
    ['at scale 1', 1, 500],
  ] as const)
    it(`makes the same commits of the same seed ${name}`, async () => {
      const options = { seed: 'drzewo', ...(scale === undefined ? {} : { scale }) }
      const [first, second] = [await written('a', options), await written('b', options)]
      assert.deepEqual(first, second)
      assert.equal(first.commits, commits)
      assert.equal(first.status, '')
    })

  it('makes another tree of another seed', async () => {
    const [first, second] = [await written('a', { seed: 'drzewo' }), await written('b', { seed: 'inne' })]
    assert.notEqual(first.tree, second.tree)
  })

  it('tells of each commit', async () => {
    const seen: Array<string> = []
    await writeDemo(join(root, 'a'), { seed: 'x' }, (done, total) => seen.push(`${done}/${total}`))
    assert.equal(seen.length, 120)
    assert.equal(seen[119], '120/120')
  })

  it('uses an empty directory and leaves one with content alone', async () => {
    assert.ok(isRight(await writeDemo(root, { seed: 'x' })))
    const before = await readdir(root)
    const again = await writeDemo(root, { seed: 'x' })
    assert.ok(isLeft(again))
    assert.equal(again.left.code, 64)
    assert.deepEqual(await readdir(root), before)
  })

  it('refuses a path below a file, and says what the system said', async () => {
    const file = join(root, 'plik')
    await writeFile(file, 'x')
    const refused = await writeDemo(join(file, 'świat'), { seed: 'x' })
    assert.ok(isLeft(refused))
    assert.match(refused.left.reason, /ENOTDIR/)
  })

  it('says what git said of a stream that it refuses', async () => {
    const author = { name: 'A', email: 'a@example.org' }
    const bad = {
      author,
      at: '2020-01-01T00:00:00Z',
      message: 'x',
      changes: [{ path: '.git/config', text: 'x' }],
    }
    await assert.rejects(
      writeRepository(root, [bad], () => undefined),
      /git (fast-import|read-tree) failed/,
    )
  })

  it('starts afresh where an earlier run was cut off', async () => {
    const target = join(root, 'a')
    assert.ok(isRight(await writeDemo(`${target}.unfinished`, { seed: 'x' })))
    await writeFile(join(`${target}.unfinished`, 'zbędny.md'), 'x')
    assert.ok(isRight(await writeDemo(target, { seed: 'x' })))
    assert.deepEqual((await readdir(root)).sort(), ['a'])
    assert.ok(!(await readdir(target)).includes('zbędny.md'))
  })
})
