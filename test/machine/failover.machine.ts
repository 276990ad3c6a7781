import { before, describe, it } from 'mocha'
import { playCase } from '#test/scenario/failover/case.js'
import { kill } from '#test/scenario/failover/kill.js'
import { partition } from '#test/scenario/failover/partition.js'
import { openNamespaceNetwork } from '#test/scenario/namespaces/namespace-network.js'
import { canMakeNamespaces } from '#test/scenario/namespaces/namespaces.js'
import { openStory } from '#test/scenario/world/story.js'
import { hasTool } from './tool.js'

const print = (text: string): void => void process.stdout.write(text)

/** Every tool is named that is absent, not the first one alone. */
const hasAll = (names: ReadonlyArray<string>): boolean => names.map(hasTool).every(has => has)

describe('a failover in network namespaces, each host behind caddy', () => {
  before(function () {
    if (!hasAll(['ip', 'caddy', 'openssl'])) return this.skip()
    if (canMakeNamespaces()) return
    print('      network namespaces are not allowed here; what they show is not shown in this run\n')
    this.skip()
  })

  for (const { name, about, options, play } of [kill, partition])
    it(`has one apex after ${name}: ${about}`, async function () {
      this.timeout(900_000)
      const story = openStory(print, Date.now)
      await playCase({ options: { ...options, openNetwork: openNamespaceNetwork }, play }, story, print)
    })
})
