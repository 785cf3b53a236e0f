export * from './http.ts'
export * from './parts.ts'
export * from './signer.ts'
export * from './socket.ts'
