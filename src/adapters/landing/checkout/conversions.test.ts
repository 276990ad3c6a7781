import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { BlobId, CommitId } from '#protocol/atoms.js'
import { openLanding } from '#src/adapters/landing/landing.js'
import { landIn, repoPathOf } from '#test/support/landing-rig.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { dirtyNow } from './dirty.js'

const path = repoPathOf('encje/a.md')
const text = '### Żmija\n- @typ: NPC\n$Id$\n'
const changed = '### Żmija\n- @typ: Miejsce\n$Id$\n'
const signal = new AbortController().signal

/** How git converts `encje/a.md` in a clone. */
interface Conversion {
  readonly attributes?: string
  readonly clone?: string
  readonly settings?: Readonly<Record<string, string>>
  /** Where the committed file is another one. */
  readonly committed?: string
}

const conversions: Readonly<Record<string, Conversion>> = {
  none: {},
  'core.autocrlf true': { settings: { 'core.autocrlf': 'true' } },
  'core.autocrlf input': { settings: { 'core.autocrlf': 'input' } },
  'core.eol crlf': { settings: { 'core.eol': 'crlf' }, attributes: '*.md text\n' },
  'eol=crlf': { attributes: '*.md text eol=crlf\n' },
  'eol=crlf of the clone': { clone: '*.md text eol=crlf\n' },
  ident: { attributes: '*.md ident\n' },
  'working-tree-encoding': { attributes: '*.md working-tree-encoding=UTF-16LE-BOM\n' },
  'a filter without a command': { attributes: '*.md filter=lfs\n' },
  'mixed line ends': { attributes: '*.md text eol=crlf\n', committed: 'a\r\nb\nc\r\n' },
  'line ends of Windows in the commit': { settings: { 'core.autocrlf': 'true' }, committed: 'a\r\nb\r\n' },
}

describe('a work tree that git converts', () => {
  let repository: Repository
  afterEach(() => repository.dispose())

  const at = (name: string): string => join(repository.path, name)
  const bytesAt = (name: string): Buffer => readFileSync(at(name))
  const idOf = (revision: string): BlobId => {
    const id = BlobId.decode(repository.git('rev-parse', revision).trim())
    if (isLeft(id)) throw new Error(revision)
    return id.right
  }
  const headNow = (): CommitId => {
    const id = CommitId.decode(repository.head())
    if (isLeft(id)) throw new Error('no HEAD')
    return id.right
  }

  /** A clone as git checks it out with these conversions. */
  const clone = ({ attributes, clone: own, settings = {}, committed = text }: Conversion): void => {
    repository = repositoryOf({ [path]: committed, 'b.md': 'b\n', 'obraz.bin': 'x\n' })
    if (attributes !== undefined) writeFiles(repository.path, { '.gitattributes': attributes })
    if (own !== undefined) writeFiles(repository.path, { '.git/info/attributes': own })
    writeFiles(repository.path, { '.git/info/exclude': '/.svc/state/\n' })
    if (attributes !== undefined) repository.git('add', '.gitattributes')
    repository.git('commit', '-q', '--allow-empty', '-m', 'attributes')
    for (const [key, value] of Object.entries(settings)) repository.git('config', key, value)
    rmSync(at(path))
    repository.git('checkout', '-q', '--', '.')
  }

  const write = async (name: string, content: string, before: BlobId | null) => {
    const landing = openLanding({ repo: repository.path, intents: null, lockWaitsMs: [] })
    const file = repoPathOf(name)
    const draft = {
      intent: 'i1',
      actor: 'Żaneta',
      route: 'PATCH /x',
      author: { name: 'Żaneta', email: 'z@kronika.invalid' },
      message: 'zmiana\n',
      after: new Map([[file, Buffer.from(content)]]),
    }
    try {
      return await landIn(landing, headNow(), [{ path: file, before }], draft)
    } finally {
      landing.close()
    }
  }
  const isDirty = async (): Promise<boolean> =>
    (await dirtyNow(repository.path)([{ path, before: idOf(`HEAD:${path}`) }])).length > 0

  for (const [name, conversion] of Object.entries(conversions))
    it(`is no person's edit, and is written as git writes it: ${name}`, async () => {
      clone(conversion)
      equal(await isDirty(), false, 'as checked out')
      const landed = await write(path, changed, idOf(`HEAD:${path}`))
      deepEqual(isLeft(landed) ? landed.left : landed.right.left, [])
      equal(`${repository.git('show', `HEAD:${path}`)}\n`, changed)
      const written = bytesAt(path)
      equal(await isDirty(), false, 'as the host wrote it')
      equal(repository.git('status', '--porcelain').trim(), '', 'as git sees it')
      rmSync(at(path))
      repository.git('checkout', '-q', '--', path)
      ok(
        bytesAt(path).equals(written),
        `${written.toString('hex')} is not what git writes, ${bytesAt(path).toString('hex')}`,
      )
      const again = await write(path, text, idOf(`HEAD:${path}`))
      deepEqual(isLeft(again) ? again.left : again.right.left, [])
    })

  for (const name of ['core.autocrlf true', 'eol=crlf', 'ident', 'working-tree-encoding'])
    it(`keeps a person's edit byte for byte, staged or not: ${name}`, async () => {
      clone(conversions[name] ?? {})
      const edit = Buffer.concat([bytesAt(path), Buffer.from('moje\r\n')])
      writeFileSync(at(path), edit)
      const refused = await write(path, changed, idOf(`HEAD:${path}`))
      deepEqual([isLeft(refused), bytesAt(path).equals(edit), await isDirty()], [false, true, true])
      equal(`${repository.git('show', `HEAD:${path}`)}\n`, text)
      repository.git('add', path)
      equal(await isDirty(), true)
      ok(bytesAt(path).equals(edit))
    })

  it('takes other line ends alone for no edit where git converts them, and for one where it does not', async () => {
    clone(conversions['core.autocrlf true'] ?? {})
    writeFileSync(at(path), text)
    equal(await isDirty(), false)
    repository.dispose()
    clone({})
    writeFileSync(at(path), text.replaceAll('\n', '\r\n'))
    equal(await isDirty(), true)
  })

  it('notices a conversion that begins and one that ends while it runs', async () => {
    clone({})
    const dirty = dirtyNow(repository.path)
    writeFileSync(at(path), text.replaceAll('\n', '\r\n'))
    const files = [{ path, before: idOf(`HEAD:${path}`) }]
    deepEqual(await dirty(files), [path])
    repository.git('config', 'core.autocrlf', 'true')
    deepEqual(await dirty(files), [])
    repository.git('config', 'core.autocrlf', 'false')
    deepEqual(await dirty(files), [path])
  })

  for (const key of ['clean', 'smudge', 'process'])
    it(`runs no ${key} command of a filter: refuses the paths of the filter by its name, and no other`, async () => {
      clone({ attributes: 'encje/*.md filter=tajny\n' })
      repository.git('config', `filter.tajny.${key}`, `touch ${at('uruchomiono')}; cat`)
      repository.git('config', 'filter.tajny.required', 'true')
      const refused = await write(path, changed, idOf(`HEAD:${path}`))
      if (!isLeft(refused) || refused.left._tag !== 'Blocked') throw new Error(JSON.stringify(refused))
      equal(refused.left.code, 'filter_command')
      match(refused.left.reason, /encje\/a\.md has the filter tajny/u)
      writeFileSync(at(path), 'other\n')
      equal(await isDirty(), true)
      ok(!isLeft(await write('b.md', 'c\n', idOf('HEAD:b.md'))))
      ok(!existsSync(at('uruchomiono')))
    })

  it('advances to a commit of others, with the conversions of the clone', async () => {
    clone(conversions['eol=crlf'] ?? {})
    const [from, before] = [headNow(), bytesAt(path)]
    writeFileSync(at(path), changed)
    repository.git('commit', '-q', '-am', 'cudzy')
    const to = headNow()
    repository.git('reset', '-q', '--hard', from)
    ok(bytesAt(path).equals(before))
    const landing = openLanding({ repo: repository.path, intents: null, lockWaitsMs: [] })
    const moved = await landing.advance(
      { intent: 'i', from, to, reason: 'converge', atMs: 1_700_000_000_000 },
      signal,
    )
    landing.close()
    deepEqual(isLeft(moved) ? moved.left : moved.right.left, [])
    ok(bytesAt(path).equals(Buffer.from(changed.replaceAll('\n', '\r\n'))))
    equal(repository.git('status', '--porcelain').trim(), '')
  })
})
