import { deepEqual, equal } from 'node:assert/strict'
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import type { Reply } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { nodeFiles, orrin, restoreCommit, startNode, type TestNode } from '#test/support/node.js'

const index = 'encje/indeks.md'
const full = Array.from({ length: 250 }, (_, at) => `### Kupiec ${at}\n- @typ: NPC\n`).join('\n')

/** SECURITY 4.8: the resolved path of a write stays under the root; a refused write leaves no trace (A 4.1). */
describe('a write in a repository with links', () => {
  let node: TestNode
  let first: string
  let outside: string
  before(async () => {
    node = await startNode({ files: { ...nodeFiles, 'encje/dalsze.md': '### Wita\n- @typ: NPC\n' } })
    first = node.repository.head()
  })
  after(() => node.stop())
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'kronika-outside-'))
  })
  afterEach(async () => {
    await restoreCommit(node, first)
    rmSync(outside, { recursive: true, force: true })
  })

  const at = (path: string): string => join(node.repository.path, path)
  const git = (...args: ReadonlyArray<string>): string => node.repository.git(...args)
  const ask = (method: string, path: string, body: object): Promise<Reply> =>
    node.client.ask(path, { method, body: JSON.stringify(body) })
  const patch = (): Promise<Reply> => ask('PATCH', '/entities/Orrin', { tag: 'info', value: 'Ma łódź.' })

  /** Everything that a write touches: refs, index, work tree, drafts of the daemon. */
  const traces = () => ({
    refs: git('for-each-ref'),
    head: git('symbolic-ref', 'HEAD'),
    index: git('ls-files', '--stage'),
    tree: git('status', '--porcelain'),
    drafts: readdirSync(at('.svc/state/checkout')),
    lock: readdirSync(at('.git')).filter(name => name.endsWith('.lock')),
  })

  const refusedWith = async (write: () => Promise<Reply>, status: number, error: string): Promise<void> => {
    const before = traces()
    const reply = await write()
    deepEqual([reply.status, isFields(reply.json) && reply.json['error']], [status, error], reply.text)
    deepEqual(traces(), before)
  }

  it('is never made through a link in the place of the file', async () => {
    await ask('PATCH', '/entities/Wita', { tag: 'info', value: 'x' })
    renameSync(at(index), join(outside, 'indeks.md'))
    symlinkSync(join(outside, 'indeks.md'), at(index))
    await refusedWith(patch, 409, 'WorkTreeDirty')
    equal(readFileSync(join(outside, 'indeks.md'), 'utf8'), orrin)
  })

  it('is never made through a link in the place of the folder', async () => {
    await ask('PATCH', '/entities/Wita', { tag: 'info', value: 'x' })
    renameSync(at('encje'), join(outside, 'encje'))
    symlinkSync(join(outside, 'encje'), at('encje'))
    await refusedWith(patch, 409, 'WorkTreeDirty')
    await refusedWith(() => ask('POST', '/entities', { name: 'Nowa', type: 'NPC' }), 409, 'WorkTreeDirty')
    equal(readFileSync(join(outside, 'encje/indeks.md'), 'utf8'), orrin)
  })

  it('does not make a file where a committed link stands, and leaves where it leads alone', async () => {
    symlinkSync('/etc/passwd', at('encje/indeks-02.md'))
    git('add', '-A')
    node.repository.commit({ [index]: full })
    await ask('PATCH', '/entities/Wita', { tag: 'info', value: 'x' })
    await refusedWith(() => ask('POST', '/entities', { name: 'Nowa', type: 'NPC' }), 409, 'WorkTreeDirty')
    equal(git('cat-file', 'blob', 'HEAD:encje/indeks-02.md'), '/etc/passwd')
  })

  it('leaves the other name of a file that has two', async () => {
    linkSync(at(index), join(outside, 'drugi.md'))
    equal((await patch()).status, 200)
    equal(readFileSync(join(outside, 'drugi.md'), 'utf8'), orrin)
    equal(readFileSync(at(index), 'utf8'), `${orrin}- @info: Ma łódź.\n`)
  })

  it('leaves no trace when a rule refuses it', async () => {
    await patch()
    await refusedWith(
      () => ask('PATCH', '/entities/Orrin', { tag: 'info', value: 'x\n### Injected' }),
      422,
      'ValueRefused',
    )
    await refusedWith(() => ask('POST', '/entities', { name: 'orrin', type: 'NPC' }), 409, 'NameTaken')
    await refusedWith(
      () => ask('PATCH', '/entities/Nikt', { tag: 'info', value: 'x' }),
      404,
      'EntityNotFound',
    )
  })
})
