import dataUrl from '@dqbd/tiktoken/lite/tiktoken_bg.wasm?url&inline'

/** The encoder's WASM as base64: a module is the one form of it that every bundler takes as it is. */
export const wasmBase64 = dataUrl.slice(dataUrl.indexOf(',') + 1)
