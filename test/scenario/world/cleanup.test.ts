import { deepEqual, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openCleanup } from './cleanup.js'

describe('the cleanup of a world', () => {
  it('ends the last addition first, once, and goes on behind a failure', async () => {
    const ended: Array<string> = []
    const cleanup = openCleanup()
    cleanup.add(() => void ended.push('folder'))
    cleanup.add(() => Promise.reject(new Error('the forge does not end')))
    cleanup.add(async () => {
      await Promise.resolve()
      ended.push('hosts')
    })
    await rejects(cleanup.run(), /the forge does not end/)
    await cleanup.run()
    deepEqual(ended, ['hosts', 'folder'])
  })
})
