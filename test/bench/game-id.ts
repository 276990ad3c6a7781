import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A game id that is open today, from the contributor store of a demo world. */
export const aGameId = async (repo: string): Promise<string> => {
  const text = await readFile(join(repo, 'kontrybutorzy.md'), 'utf8')
  const found = /^- @gameid: (\d+) \(\d{4}-\d{2}:\)$/mu.exec(text)?.[1]
  if (found === undefined) throw new Error('a world without players')
  return found
}
