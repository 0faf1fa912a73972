/** A script that failed leaves the page, so that a retry requests it again. */
export const loadScript = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`No script came from ${address}`))
    }
    document.head.append(script)
  })
