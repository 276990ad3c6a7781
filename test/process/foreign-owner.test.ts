import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { repositoryOf } from '#test/support/repository.js'

const nobody = 65_534

const giveAway = (path: string): void => {
  chownSync(path, nobody, nobody)
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, name), nobody, nobody)
}

describe('a checkout of somebody else', () => {
  it('says who may read it and what to do, and ends with 64', function () {
    if (process.getuid?.() !== 0) {
      console.log('    only root can give a checkout away: not shown here')
      this.skip()
    }
    const repository = repositoryOf({ 'encje/indeks.md': '### Byt\n- @typ: NPC\n' })
    try {
      giveAway(repository.path)
      const { status, stderr } = spawnSync(
        process.execPath,
        ['dist/src/main.js', 'doctor', '--repo', repository.path],
        { encoding: 'utf8' },
      )
      equal(status, 64)
      match(stderr, /^kronika doctor: .*dubious ownership.*safe\.directory/s)
      equal(/\n\s+at /.test(stderr), false)
    } finally {
      repository.dispose()
    }
  })
})
