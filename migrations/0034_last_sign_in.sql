-- Of the last sign-in: sessions end, this stays. NULL methods: before they were recorded.
ALTER TABLE users ADD COLUMN last_sign_in_at TEXT;
ALTER TABLE users ADD COLUMN last_sign_in_methods TEXT;
UPDATE users SET last_sign_in_at = COALESCE((SELECT max(created_at) FROM sessions WHERE user_id = users.id), last_seen_at);
