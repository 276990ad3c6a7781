import { match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { whySyncIsOff } from './sync.js'

const facts = { isGit: true, intervalMinutes: 15, remote: 'origin' }

describe('why sync is off', () => {
  it('names a plain directory', () => {
    match(whySyncIsOff({ ...facts, isGit: false }), /plain directory, not a git repository.* restart\.$/)
  })

  it('names the interval before the remote', () => {
    match(whySyncIsOff({ ...facts, intervalMinutes: 0 }), /server\.sync_interval_min is 0\. .* restart\.$/)
  })

  it('gives the command that adds the remote, and wants no restart', () => {
    match(whySyncIsOff({ ...facts, remote: 'lore' }), /`git remote add lore URL`.*; no restart is needed\.$/)
  })

  it('repeats no name that is none', () => {
    match(whySyncIsOff({ ...facts, remote: '--mirror' }), /server\.sync_remote is not a remote name/)
  })
})
