/** Owns where the vault of a home is. The gateway and the executor open the same one. */
import { join } from 'node:path'
import type { HomePaths } from '@countersign/contract/node'
import { type IdentityStorage, type IdentityStore, openIdentity } from './identity.ts'
import { fileIdentity } from './identity-file.ts'
import { keyringIdentity } from './keyring.ts'
import { openVault, type Vault } from './vault.ts'

export interface VaultPaths {
  /** The sealed file. */
  readonly file: string
  /** The key, where there is no keyring. */
  readonly key: string
  /** Says where the key is. */
  readonly record: string
  /** The name of the key in a keyring. */
  readonly account: string
  readonly wanted?: IdentityStorage | undefined
}

export function vaultPaths(
  paths: Pick<HomePaths, 'state' | 'keys'>,
  account: string,
  wanted?: IdentityStorage,
): VaultPaths {
  return {
    file: join(paths.state, 'vault', 'secrets.age'),
    key: join(paths.keys, 'vault.key'),
    record: join(paths.keys, 'vault.json'),
    account,
    ...(wanted ? { wanted } : {}),
  }
}

/** Asks for the keyring only when there is something to open or to keep: asking may show its owner a window. */
export function openVaultAt(
  place: VaultPaths,
  options: { readonly clock?: () => Date; readonly onProblem?: (error: unknown) => void } = {},
): Promise<Vault> {
  const { file, key, record, account, wanted } = place
  const identity = late(() =>
    openIdentity({ record, keyring: keyringIdentity({ account }), file: fileIdentity(key), wanted }),
  )
  return openVault({ file, identity, ...options })
}

function late(open: () => Promise<IdentityStore>): IdentityStore {
  let opened: IdentityStore | undefined
  const store = async () => {
    opened ??= await open()
    return opened
  }
  return {
    get name() {
      return opened?.name ?? 'keyring'
    },
    read: async () => (await store()).read(),
    write: async (identity) => (await store()).write(identity),
  }
}
