import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { documents, root } from './sources.js'

const text = documents.find(({ path }) => path === 'docs/dependencies.md')?.text ?? ''

/** Packages of a field of package.json; those of `@types/` share one row. */
const packagesOf = (field: 'dependencies' | 'devDependencies'): ReadonlyArray<string> => {
  const manifest: unknown = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const packages: unknown = Reflect.get(Object(manifest), field)
  return typeof packages === 'object' && packages !== null
    ? Object.keys(packages).filter(name => !name.startsWith('@types/'))
    : []
}

describe('docs/dependencies.md', () => {
  it('has every package of package.json', () => {
    const packages = [...packagesOf('dependencies'), ...packagesOf('devDependencies')]
    ok(packages.includes('nact') && packages.includes('mocha'))
    deepEqual(
      packages.filter(name => !text.includes(`\`${name}\``)),
      [],
    )
  })

  it('names files and records that exist', () => {
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
