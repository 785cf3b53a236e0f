/** Owns what the screen asks of providers and models, and what a change makes old. */
import { useGateway } from '../../environment/queries.ts'

export const useProviders = () =>
  useGateway(['models', 'providers'], (client) => client.providers(), { everyMs: 30_000 })
export const useDetected = () => useGateway(['models', 'detected'], (client) => client.detectProviders())
export const useModelRoutes = () => useGateway(['models', 'routes'], (client) => client.routes())
export const useCatalogue = () => useGateway(['models', 'catalogue'], (client) => client.catalogue())

/** A provider that comes or goes changes everything that is shown here. */
export const touched = [['models'], ['status'], ['health']]
