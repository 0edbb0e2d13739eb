import eu.europa.esig.dss.enumerations.CertificationPermission;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.PAdESTimestampParameters;
import eu.europa.esig.dss.pades.SignatureFieldParameters;
import eu.europa.esig.dss.pades.SignatureImageParameters;
import eu.europa.esig.dss.pades.SignatureImageTextParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.ExternalResourcesCRLSource;
import eu.europa.esig.dss.spi.x509.tsp.KeyEntityTSPSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs documents with DSS and PDFBox in many lawful ways, with authorities of its own. The argument names the folder; prints a line per file not made. */
public final class Make {
  private static final long DAY = 86_400_000L;
  private static final Date FROM = new Date(System.currentTimeMillis() - 30 * DAY);
  private static final KeyUsage SIGNS = new KeyUsage(KeyUsage.digitalSignature | KeyUsage.nonRepudiation);
  private static int serial = 1000;

  /** A key with its certificate and the certificate's issuer. */
  private record Entity(KeyPair keys, X509Certificate certificate, X509Certificate issuer) {
    CertificateToken token() {
      return new CertificateToken(certificate);
    }
  }

  private interface Work {
    DSSDocument run() throws Exception;
  }

  private final Path folder;
  private final Entity root = root("Signers");
  private final Entity timeRoot = root("Time");
  private final Entity rsa = issue(root, "Signer RSA", keys("RSA", 2048), false);
  private final Entity ec = issue(root, "Signer EC", keys("EC", 256), false);
  private final Entity time = issue(timeRoot, "Time-stamps", keys("RSA", 2048), true);
  private final PAdESService service;

  private Make(Path folder) throws Exception {
    this.folder = folder;
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(root.token());
    trusted.addCertificate(timeRoot.token());
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    verifier.setOcspSource(null);
    verifier.setCrlSource(new ExternalResourcesCRLSource(list(root), list(timeRoot)));
    service = new PAdESService(verifier);
    KeyEntityTSPSource stamper =
        new KeyEntityTSPSource(time.keys().getPrivate(), time.certificate(), List.of(time.certificate(), timeRoot.certificate()));
    stamper.setTsaPolicy("1.3.6.1.4.1.99999.1");
    service.setTspSource(stamper);
  }

  public static void main(String[] args) throws Exception {
    Files.createDirectories(Path.of(args[0]));
    new Make(Path.of(args[0])).all();
  }

  private static KeyPair keys(String algorithm, int size) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(size);
    return generator.generateKeyPair();
  }

  private static String algorithmOf(KeyPair issuer) {
    return issuer.getPrivate().getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
  }

  private static Entity root(String name) throws Exception {
    KeyPair keys = keys("RSA", 2048);
    X500Name subject = new X500Name("O=Judges,CN=" + name);
    var builder = new JcaX509v3CertificateBuilder(
        subject, BigInteger.valueOf(serial++), FROM, new Date(System.currentTimeMillis() + 3650 * DAY), subject, keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    X509Certificate certificate = certificate(builder, keys);
    return new Entity(keys, certificate, certificate);
  }

  private static Entity issue(Entity issuer, String name, KeyPair keys, boolean isTime) throws Exception {
    var builder = new JcaX509v3CertificateBuilder(issuer.certificate().getSubjectX500Principal(), BigInteger.valueOf(serial++), FROM,
        new Date(System.currentTimeMillis() + 730 * DAY), new javax.security.auth.x500.X500Principal("O=Judges,CN=" + name), keys.getPublic());
    JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
    builder.addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(keys.getPublic()));
    builder.addExtension(Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(issuer.keys().getPublic()));
    builder.addExtension(Extension.keyUsage, true, isTime ? new KeyUsage(KeyUsage.digitalSignature) : SIGNS);
    if (isTime) builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(KeyPurposeId.id_kp_timeStamping));
    return new Entity(keys, certificate(builder, issuer.keys()), issuer.certificate());
  }

  private static X509Certificate certificate(JcaX509v3CertificateBuilder builder, KeyPair issuer) throws Exception {
    return new JcaX509CertificateConverter().getCertificate(
        builder.build(new JcaContentSignerBuilder(algorithmOf(issuer)).build(issuer.getPrivate())));
  }

  private static DSSDocument list(Entity issuer) throws Exception {
    var builder = new JcaX509v2CRLBuilder(issuer.certificate(), new Date(System.currentTimeMillis() - DAY / 2));
    builder.setNextUpdate(new Date(System.currentTimeMillis() + 30 * DAY));
    var signer = new JcaContentSignerBuilder(algorithmOf(issuer.keys())).build(issuer.keys().getPrivate());
    return new InMemoryDocument(builder.build(signer).getEncoded(), "list.crl");
  }

  private static DSSDocument document(boolean isEncrypted) throws Exception {
    try (PDDocument document = new PDDocument()) {
      for (int number = 1; number <= 2; number++) {
        PDPage page = new PDPage(PDRectangle.A4);
        document.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
          content.beginText();
          content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 18);
          content.newLineAtOffset(50, 700);
          content.showText("Page " + number + " of an agreement");
          content.endText();
        }
      }
      if (isEncrypted) document.protect(new StandardProtectionPolicy("owner", "", new AccessPermission()));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.save(bytes);
      return new InMemoryDocument(bytes.toByteArray(), "document.pdf");
    }
  }

  private DSSDocument sign(DSSDocument document, Entity signer, SignatureLevel level, Consumer<PAdESSignatureParameters> more) throws Exception {
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    parameters.setSignatureLevel(level);
    parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
    parameters.setSigningCertificate(signer.token());
    parameters.setCertificateChain(signer.token(), new CertificateToken(signer.issuer()));
    more.accept(parameters);
    byte[] toBeSigned = service.getDataToSign(document, parameters).getBytes();
    SignatureAlgorithm algorithm = SignatureAlgorithm.getAlgorithm(parameters.getEncryptionAlgorithm(), parameters.getDigestAlgorithm());
    Signature signature = Signature.getInstance(algorithm.getJCEId());
    if (algorithm.getEncryptionAlgorithm() == EncryptionAlgorithm.RSASSA_PSS) {
      signature = Signature.getInstance("RSASSA-PSS");
      signature.setParameter(new java.security.spec.PSSParameterSpec("SHA-256", "MGF1", java.security.spec.MGF1ParameterSpec.SHA256, 32, 1));
    }
    signature.initSign(signer.keys().getPrivate());
    signature.update(toBeSigned);
    return service.signDocument(document, parameters, new SignatureValue(algorithm, signature.sign()));
  }

  private DSSDocument plain(Consumer<PAdESSignatureParameters> more) throws Exception {
    return sign(document(false), rsa, SignatureLevel.PAdES_BASELINE_B, more);
  }

  private DSSDocument level(SignatureLevel level) throws Exception {
    return sign(document(false), rsa, level, parameters -> {});
  }

  /** One more signature over a signed file. */
  private DSSDocument again(DSSDocument first, SignatureLevel level) throws Exception {
    return sign(first, ec, level, parameters -> {});
  }

  private DSSDocument extend(DSSDocument document, SignatureLevel level) throws Exception {
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    parameters.setSignatureLevel(level);
    return service.extendDocument(document, parameters);
  }

  private static Consumer<PAdESSignatureParameters> visibleAt(float x) {
    return parameters -> {
      SignatureImageTextParameters text = new SignatureImageTextParameters();
      text.setText("Signed by Judges");
      SignatureImageParameters image = new SignatureImageParameters();
      image.setTextParameters(text);
      SignatureFieldParameters field = new SignatureFieldParameters();
      field.setOriginX(x);
      field.setOriginY(600);
      field.setWidth(150);
      field.setHeight(50);
      image.setFieldParameters(field);
      parameters.setImageParameters(image);
    };
  }

  private static SignatureFieldParameters emptyField(String name, float x) {
    SignatureFieldParameters field = new SignatureFieldParameters();
    field.setFieldId(name);
    field.setOriginX(x);
    field.setOriginY(600);
    field.setWidth(150);
    field.setHeight(50);
    return field;
  }

  private void put(String name, Work work) {
    try {
      work.run().save(folder.resolve(name + ".pdf").toString());
    } catch (Exception error) {
      System.out.println(name + ": " + error);
    }
  }

  private void all() {
    SignatureLevel b = SignatureLevel.PAdES_BASELINE_B;
    SignatureLevel lta = SignatureLevel.PAdES_BASELINE_LTA;
    put("level-b-b", () -> level(b));
    put("level-b-t", () -> level(SignatureLevel.PAdES_BASELINE_T));
    put("level-b-lt", () -> level(SignatureLevel.PAdES_BASELINE_LT));
    put("level-b-lta", () -> level(lta));
    put("level-b-lta-renewed", () -> extend(level(lta), lta));
    put("level-b-b-extended", () -> extend(level(b), lta));
    put("level-b-t-time-stamped", () -> service.timestamp(level(SignatureLevel.PAdES_BASELINE_T), new PAdESTimestampParameters(DigestAlgorithm.SHA256)));
    put("key-ec", () -> sign(document(false), ec, b, parameters -> {}));
    put("key-sha512", () -> plain(parameters -> parameters.setDigestAlgorithm(DigestAlgorithm.SHA512)));
    put("key-pss", () -> plain(parameters -> parameters.setEncryptionAlgorithm(EncryptionAlgorithm.RSASSA_PSS)));
    put("key-plain-ecdsa", () -> sign(document(false), ec, b, parameters -> parameters.setEncryptionAlgorithm(EncryptionAlgorithm.PLAIN_ECDSA)));
    put("file-adobe", () -> plain(parameters -> parameters.setSubFilter("adbe.pkcs7.detached")));
    put("file-visible", () -> plain(visibleAt(50)));
    put("file-reason", () -> plain(parameters -> {
      parameters.setReason("Ich stimme zu – 株式会社");
      parameters.setLocation("Genève");
      parameters.setContactInfo("a@b.example");
    }));
    put("file-encrypted", () -> sign(document(true), rsa, b, parameters -> parameters.setPasswordProtection(new char[0])));
    for (CertificationPermission permission : CertificationPermission.values())
      put("file-certified-p" + permission.getCode(), () -> plain(parameters -> parameters.setPermission(permission)));
    put("several-two", () -> again(level(b), b));
    put("several-two-visible", () -> sign(plain(visibleAt(50)), ec, b, visibleAt(300)));
    put("several-two-long-term", () -> again(level(lta), lta));
    put("several-certified-approved", () -> again(plain(parameters -> parameters.setPermission(CertificationPermission.CHANGES_PERMITTED)), b));
    put("several-field-added-later", () -> again(service.addNewSignatureField(level(b), emptyField("Later", 50)), b));
  }
}
