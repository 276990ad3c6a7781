import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from '../figure.js'
import { aGameId, cloneTwice, commitAll, setConfigKeys, type TwoClones } from '../worlds.js'
import { benchAccount, closeConnections } from './forward.js'
import { type BenchPlatform, startPlatform } from './platform.js'

/** Measures on clones of a world, against a platform that answers at once. The world itself is not changed. */
export const withChat = async (
  folder: string,
  world: string,
  measure: (clones: TwoClones, platform: BenchPlatform) => Promise<ReadonlyArray<Figure>>,
): Promise<ReadonlyArray<Figure>> => {
  const platform = await startPlatform()
  try {
    const clones = await cloneTwice(folder, 'chat', world)
    await prepareChatWorld(clones.mine, platform.url)
    return await measure(clones, platform)
  } finally {
    closeConnections()
    await platform.close()
  }
}

/** Configures a world for the chat of a platform, and links an account to one of its players. */
const prepareChatWorld = async (repo: string, platformUrl: string): Promise<void> => {
  await setConfigKeys(repo, 'integrations', {
    chat: { api_url: platformUrl, guild_id: '900', client_id: '42' },
  })
  await setConfigKeys(repo, 'server', { event_journal_mib: 256 })
  const binding = {
    chatId: benchAccount,
    gameId: await aGameId(repo),
    since: '2026-01-01T00:00:00Z',
    by: 'pomiar',
  }
  const path = join(repo, '.svc/bindings.json')
  const text = `${JSON.stringify({ bindings: [binding] }, null, 2)}\n`
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return
  await writeFile(path, text)
  await commitAll(repo, 'pomiar: konto na czacie')
}
