import { type ForgeProcess, startForgeProcess } from '#test/support/forge/forge-process.js'
import { gitIn } from '#test/support/repository.js'
import { type KillPlace, openPlace } from './place.js'

const configPath = '.svc/config.json'

/** The town of the daemon that is killed. */
export const ownTown = 'Deyja'

/** The configuration with the address of the forge. */
const nameForge = (text: string, { apiUrl, project }: ForgeProcess): string => {
  const config = JSON.parse(text) as object
  return `${JSON.stringify({ ...config, integrations: { forge: { api_url: apiUrl, project } } })}\n`
}

/** A place with a forge over its remote, in a process that no kill of the daemon reaches. */
export const openForgePlace = async (files: Readonly<Record<string, string>>): Promise<KillPlace> => {
  const place = openPlace(files, true)
  const { repo, remote } = place
  if (remote === null) throw new Error('a place was opened without its remote')
  const forge = await startForgeProcess(remote.bare, { detached: true })
  remote.publish(configPath, text => nameForge(text, forge))
  gitIn(repo, 'pull', '-q', '--ff-only', 'origin', 'main')
  return {
    ...place,
    forge,
    serving: { args: ['--town', ownTown], env: { SVC_FORGE_TOKEN: forge.token } },
    dispose: () => {
      void forge.stop()
      place.dispose()
    },
  }
}
