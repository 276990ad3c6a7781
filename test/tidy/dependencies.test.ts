import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { readField, readKeys } from './manifest.js'
import { documents, importsOf, isTest, root, sources } from './sources.js'

const text = documents.find(({ path }) => path === 'docs/dependencies.md')?.text ?? ''

/** Packages of a field of package.json; those of `@types/` share one row. */
const packagesOf = (field: 'dependencies' | 'devDependencies'): ReadonlyArray<string> =>
  readKeys('package.json', field).filter(name => !name.startsWith('@types/'))

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const listImportedBy = (isUser: (path: string) => boolean): ReadonlySet<string> =>
  new Set(
    sources.flatMap(source =>
      isUser(source.path) ? importsOf(source).map(({ specifier }) => packageOf(specifier)) : [],
    ),
  )

/** What starts programs or is read by one: scripts, and configurations that name packages. */
const settings = [
  ...readKeys('package.json', 'scripts').map(name => String(readField('package.json', 'scripts', name))),
  ...['.mocharc.cjs', 'eslint.config.js'].map(path => readFileSync(`${root}/${path}`, 'utf8')),
].join('\n')

const isNamed = (name: string): boolean => settings.split(/[^\w@/-]+/).includes(name)

const isRun = (name: string): boolean =>
  isNamed(name) || readKeys(`node_modules/${name}/package.json`, 'bin').some(isNamed)

describe('the packages', () => {
  it('are all in docs/dependencies.md', () => {
    const packages = [...packagesOf('dependencies'), ...packagesOf('devDependencies')]
    ok(packages.includes('nact') && packages.includes('mocha'))
    deepEqual(
      packages.filter(name => !text.includes(`\`${name}\``)),
      [],
    )
  })

  it('of the product are each imported by it', () => {
    const imported = listImportedBy(path => !isTest(path))
    deepEqual(
      packagesOf('dependencies').filter(name => !imported.has(name)),
      [],
    )
  })

  it('of development are each imported by a file or run by a script', () => {
    const imported = listImportedBy(() => true)
    deepEqual(
      packagesOf('devDependencies').filter(name => !imported.has(name) && !isRun(name)),
      [],
    )
    ok(!isRun('nact'))
  })

  it('of types belong to a package that is listed', () => {
    const packages = new Set([...packagesOf('dependencies'), ...packagesOf('devDependencies'), 'node'])
    const types = readKeys('package.json', 'devDependencies').filter(one => one.startsWith('@types/'))
    deepEqual(
      types.filter(name => !packages.has(name.slice('@types/'.length))),
      [],
    )
  })

  it('have rows that name files and records that exist', () => {
    const files = [...text.matchAll(/`((?:src|protocol|actors|test)\/[\w./-]+)`/g)].map(
      found => found[1] ?? '',
    )
    const records = [...text.matchAll(/\]\((decisions\/[\w-]+\.md)\)/g)].map(
      found => `docs/${found[1] ?? ''}`,
    )
    ok(files.length > 0 && records.length > 0)
    deepEqual(
      [...files, ...records].filter(path => !existsSync(`${root}/${path}`)),
      [],
    )
  })
})
