-- The form of the seal (ISO 32000-2 §12.8.3). The release before makes PAdES signatures alone.
ALTER TABLE sealed_versions ADD COLUMN sub_filter TEXT NOT NULL DEFAULT 'ETSI.CAdES.detached';
