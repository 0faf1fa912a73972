// Some users' browsers lack, refuse or break these parts. Each function runs in the page, before the app.

export const MISSING_PARTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'service workers': () => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'),
    'a service worker that is allowed': () => {
      ServiceWorkerContainer.prototype.register = async () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
    },
    locks: () => Reflect.deleteProperty(Navigator.prototype, 'locks'),
    'locks that are granted': () => {
      const refuse = async () => {
        throw new DOMException('Refused by a policy', 'SecurityError')
      }
      Object.assign(LockManager.prototype, { request: refuse, query: refuse })
    },
    IndexedDB: () => Object.defineProperty(window, 'indexedDB', { value: undefined }),
    'an IndexedDB that opens': () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Internal error.', 'UnknownError')
      }
    },
    'an IndexedDB that answers': () => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    },
    'IndexedDB transactions that end': () => {
      for (const [{ prototype }, name] of [
        [IDBRequest, 'onsuccess'],
        [IDBTransaction, 'oncomplete'],
      ] as const) {
        const { set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
        Object.defineProperty(prototype, name, {
          set(listener) {
            if (this instanceof IDBOpenDBRequest) set?.call(this, listener)
          },
        })
      }
    },
    'localStorage and sessionStorage': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied.', 'SecurityError')
          },
        })
    },
    'room in localStorage': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    },
    'style sheets made by scripts': () => {
      window.CSSStyleSheet = new Proxy(CSSStyleSheet, {
        construct() {
          throw new TypeError('Illegal constructor')
        },
      })
    },
    // The page's first script uses these before it loads the app.
    'the parts of a fast start': () => {
      for (const name of ['FontFace', 'PerformanceObserver', 'requestIdleCallback'])
        Reflect.deleteProperty(window, name)
    },
    BroadcastChannel: () => Reflect.deleteProperty(window, 'BroadcastChannel'),
    'crypto.subtle': () => Reflect.deleteProperty(Crypto.prototype, 'subtle'),
    Notification: () => Reflect.deleteProperty(window, 'Notification'),
    'some of Intl': () => {
      for (const name of ['DisplayNames', 'ListFormat', 'RelativeTimeFormat', 'Segmenter'])
        Reflect.deleteProperty(Intl, name)
    },
  }).map(([name, take]) => [name, `(${take})()`]),
)
