/**
 * Owns which sign-ins end with a change to what was let in: that of a server that is gone, and that of one where somebody
 * signs in elsewhere, as another client or for another address from now on. Its token is of no use to what comes after.
 */
import {
  type InstalledServer,
  type ServerOAuth,
  serverClientSecretName,
  serverGrantName,
} from '@countersign/contract'

/** The names of the secrets. */
export function forgottenSignIns(
  before: readonly InstalledServer[],
  after: readonly InstalledServer[],
): readonly string[] {
  return before.flatMap((server) => {
    const { name } = server
    const next = after.find((each) => each.name === name)
    const was = signInOf(server)
    const is = next && signInOf(next)
    if (was === undefined || JSON.stringify(was) === JSON.stringify(is)) return []
    // One that was just registered is kept for the sign-in that follows.
    return [serverGrantName(name), ...(is?.clientSecret ? [] : [serverClientSecretName(name)])]
  })
}

function signInOf({ launch }: InstalledServer): (ServerOAuth & { readonly url: string }) | undefined {
  return launch.kind === 'http' && launch.oauth ? { ...launch.oauth, url: launch.url } : undefined
}
