export const support = {
  phone: import.meta.env.VITE_SUPPORT_PHONE,
  email: import.meta.env.VITE_SUPPORT_EMAIL,
  chatUrl:
    import.meta.env.VITE_SUPPORT_CHAT_URL === 'self'
      ? `${location.origin}/sandbox/chat`
      : import.meta.env.VITE_SUPPORT_CHAT_URL,
} as const
