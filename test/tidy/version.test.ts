import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { readField } from './manifest.js'
import { documents, root } from './sources.js'

const version = readField('package.json', 'version')
const changelog = documents.find(({ path }) => path === 'CHANGELOG.md')?.text ?? ''
const releases = [...changelog.matchAll(/^## (.+)$/gm)]
  .map(found => found[1] ?? '')
  .filter(title => title !== 'Unreleased')

describe('the version', () => {
  it('is that of the newest release of CHANGELOG.md', () => {
    equal(releases[0]?.split(' ')[0], version)
  })

  it('is that of package-lock.json', () => {
    equal(readField('package-lock.json', 'version'), version)
    equal(readField('package-lock.json', 'packages', '', 'version'), version)
  })

  it('is that of the OpenAPI document', () => {
    equal(readField('docs/reference/openapi.json', 'info', 'version'), version)
  })

  it('has releases in order, each with its day', () => {
    for (const title of releases) match(title, /^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/)
    const numbers = releases.map(title =>
      (title.split(' ')[0] ?? '')
        .split('.')
        .map(part => part.padStart(4, '0'))
        .join('.'),
    )
    deepEqual(numbers, numbers.toSorted().toReversed())
  })

  it('of Node in .nvmrc is the first that engines allows and @types/node describes', () => {
    const node = readFileSync(`${root}/.nvmrc`, 'utf8').trim()
    match(String(readField('package.json', 'engines', 'node')), /^>=\d+\./)
    equal(
      String(readField('package.json', 'engines', 'node'))
        .slice('>='.length)
        .split('.')[0],
      node,
    )
    equal(String(readField('package.json', 'devDependencies', '@types/node')).split('.')[0], node)
  })
})
