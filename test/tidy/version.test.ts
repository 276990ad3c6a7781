import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { documents, root } from './sources.js'

const readJson = (path: string): unknown => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))
const versionOf = (value: unknown): unknown => Reflect.get(Object(value), 'version')

const version = versionOf(readJson('package.json'))
const changelog = documents.find(({ path }) => path === 'CHANGELOG.md')?.text ?? ''
const releases = [...changelog.matchAll(/^## (.+)$/gm)].map(found => found[1] ?? '')

describe('the version', () => {
  it('is that of the newest release of CHANGELOG.md', () => {
    equal(releases.find(title => title !== 'Unreleased')?.split(' ')[0], version)
  })

  it('is that of package-lock.json', () => {
    equal(versionOf(readJson('package-lock.json')), version)
  })

  it('is that of the OpenAPI document', () => {
    equal(versionOf(Reflect.get(Object(readJson('docs/reference/openapi.json')), 'info')), version)
  })

  it('has releases in order, each with its day', () => {
    for (const title of releases.filter(one => one !== 'Unreleased'))
      match(title, /^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/)
    const numbers = releases
      .filter(one => one !== 'Unreleased')
      .map(title =>
        (title.split(' ')[0] ?? '')
          .split('.')
          .map(part => part.padStart(4, '0'))
          .join('.'),
      )
    deepEqual(numbers, numbers.toSorted().toReversed())
  })
})
