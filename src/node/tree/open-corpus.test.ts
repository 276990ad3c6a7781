import { deepEqual, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { configBounds } from '#protocol/bounds.js'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { readCommittedConfig } from './corpus.js'

const path = '.svc/config.json'
const values = (count: number): string => Array.from({ length: count }, () => '0').join()

describe('a committed configuration above its bounds', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a' })
  })
  afterEach(() => repository.dispose())

  const read = async () => {
    const asked: Array<string> = []
    const source = openTreeSource(repository.path)
    const file = (at: string) => {
      asked.push(at)
      return source.file(at)
    }
    try {
      return { ...(await readCommittedConfig({ ...source, file })), asked }
    } finally {
      await source.close()
    }
  }

  it('gives way to the newest version within them, and one of too many bytes is not read', async () => {
    const good = repository.commit({ [path]: '{"server": {"port": 8123}}' })
    repository.commit({ [path]: `{"x": [${values(configBounds.values)}]}` })
    const many = await read()
    deepEqual([many.config['server.port'], many.asked], [8123, [path]])
    match(
      many.findings[0]?.reason ?? '',
      /a configuration has at most 5000 values\. This host uses the version/,
    )

    repository.commit({ [path]: `{"server": {"port": 1}}${' '.repeat(configBounds.bytes)}` })
    const large = await read()
    deepEqual([large.config['server.port'], large.asked], [8123, []])
    match(large.findings[0]?.reason ?? '', new RegExp(`has 262167 bytes.*at most 262144.*commit ${good}`))
  })

  it('publishes nothing where no version is within them', async () => {
    repository.commit({ [path]: `{"server": {"publish_mode": "push"}}${' '.repeat(configBounds.bytes)}` })
    deepEqual((await read()).config['server.publish_mode'], 'none')
  })
})
