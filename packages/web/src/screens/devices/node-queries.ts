/** Owns what is asked about nodes. Nothing tells that one came or went, so it is looked at again. */
import { useGateway } from '../../environment/queries.ts'

const lookEveryMs = 10_000

export const useNodes = () => useGateway(['nodes'], (client) => client.nodes(), { everyMs: lookEveryMs })

export const useNodeRequests = () =>
  useGateway(['nodes', 'requests'], (client) => client.nodePairingRequests(), { everyMs: lookEveryMs })
