import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { aGameId } from '../game-id.js'
import { setConfigKeys } from '../server-keys.js'
import { benchAccount } from './forward.js'

/** Configures a world for the chat of a platform, and links an account to one of its players. */
export const prepareChatWorld = async (repo: string, platformUrl: string): Promise<void> => {
  await setConfigKeys(repo, 'integrations', {
    chat: { api_url: platformUrl, guild_id: '900', client_id: '42' },
  })
  await setConfigKeys(repo, 'server', { event_journal_mib: 256 })
  const path = join(repo, '.svc/bindings.json')
  const binding = {
    chatId: benchAccount,
    gameId: await aGameId(repo),
    since: '2026-01-01T00:00:00Z',
    by: 'pomiar',
  }
  const text = `${JSON.stringify({ bindings: [binding] }, null, 2)}\n`
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return
  await writeFile(path, text)
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText(['add', '--all'], { cwd: repo })
  await gitText([...author, 'commit', '--quiet', '-m', 'pomiar: konto na czacie'], { cwd: repo })
}
