export * from './http.ts'
export * from './signer.ts'
export * from './socket.ts'
