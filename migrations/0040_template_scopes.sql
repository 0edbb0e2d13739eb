-- A key for everything is stored with the scopes there were: those of templates belong to it.
UPDATE api_keys SET scopes = '["documents:read","documents:write","templates:read","templates:write","webhooks:read","webhooks:write"]'
WHERE scopes = '["documents:read","documents:write","webhooks:read","webhooks:write"]';
-- For auditors, everything is all that is read.
UPDATE api_keys SET scopes = '["documents:read","templates:read","webhooks:read"]'
WHERE scopes = '["documents:read","webhooks:read"]' AND owner_id IN (SELECT id FROM users WHERE role = 'auditor');
