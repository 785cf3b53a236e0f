/** What the gateway knows of channels: what they say about themselves and the language they speak. No adapter is loaded here. */
export * from './frame/events.ts'
export type { ChannelManifest, ChannelSecret } from './frame/manifest.ts'
export * from './frame/protocol.ts'
export { splitText } from './frame/split.ts'
export { encodeLine, readMessages } from './frame/wire.ts'
export { manifests } from './manifests.ts'
export { declaredManifest, declaredSecret } from './plugin/declared.ts'
