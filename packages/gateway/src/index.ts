export { type Config, readConfig } from './config.ts'
export { type Gateway, type GatewayOptions, openGateway } from './gateway.ts'
