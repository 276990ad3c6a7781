import { deepEqual, equal, match } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { takeFence } from '#src/adapters/state/fence.js'
import { tellListening } from '#src/adapters/state/state-area.js'
import { temporaryFolder } from '#test/support/repository.js'
import { checkDaemonTown } from './fleet-keys.js'

describe('the town of the daemon beside a command', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.dispose())

  const said = (town: string): void =>
    tellListening(folder.path, { url: 'http://127.0.0.1:8123/v1/api', town })
  const held = (): (() => void) => {
    const fence = takeFence(folder.path, 'process 7, kronika serve')
    if ('holder' in fence) throw new Error(fence.holder)
    return fence.release
  }
  const asked = (town: string) => {
    const its = checkDaemonTown(folder.path, folder.path, town)
    return isLeft(its) ? its.left : { code: 0, reason: '' }
  }

  it('is not asked where no daemon runs, though one that was killed left its word', () => {
    equal(asked('Arkadia').code, 0)
    equal(existsSync(join(folder.path, 'fence.db')), false, 'nothing is made by asking')
    said('Bergen')
    held()()
    equal(asked('Arkadia').code, 0)
    held()()
  })

  it('must be that of the key', () => {
    const release = held()
    said('Bergen')
    equal(asked('Bergen').code, 0)
    const other = asked('Arkadia')
    equal(other.code, 64)
    match(
      other.reason,
      /has the town Bergen and would sign with no key of Arkadia: rotate with --town Bergen/,
    )
    said('')
    const none = asked('Arkadia')
    equal(none.code, 64)
    match(none.reason, /has no town and .*: start it with kronika serve --town Arkadia\.$/)
    release()
  })

  it('is waited for while the holder has not said it', () => {
    const release = held()
    const { code, reason } = asked('Arkadia')
    deepEqual([code, reason.includes('is held by process 7, kronika serve')], [75, true])
    match(reason, /Wait until it does, or name the state area of the daemon with --state\.$/)
    release()
  })
})
