import eu.europa.esig.dss.diagnostic.AbstractTokenProxy;
import eu.europa.esig.dss.diagnostic.CertificateWrapper;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.diagnostic.jaxb.XmlObjectModification;
import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.enumerations.SubIndication;
import eu.europa.esig.dss.enumerations.TokenExtractionStrategy;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Validates any signed PDF with DSS and its own policy at the present time. Fetches nothing.
 * Each line of the list that the argument names: file, PEM file of trusted signers, PEM file of trusted time-stamp authorities, with tabs between.
 * With `anchors` as second argument it writes these PEM files: the topmost certificate of each path that the file itself holds.
 * Prints a line per file: `verdict`, kind, words.
 */
public final class Survey {
  /** What does not speak against the bytes: origin, time and revocation, which are unknown for the files of others. */
  private static final Set<SubIndication> ORIGIN = EnumSet.of(
      SubIndication.NO_CERTIFICATE_CHAIN_FOUND, SubIndication.NO_CERTIFICATE_CHAIN_FOUND_NO_POE, SubIndication.CERTIFICATE_CHAIN_GENERAL_FAILURE,
      SubIndication.CHAIN_CONSTRAINTS_FAILURE, SubIndication.OUT_OF_BOUNDS_NO_POE, SubIndication.OUT_OF_BOUNDS_NOT_REVOKED,
      SubIndication.REVOCATION_OUT_OF_BOUNDS_NO_POE, SubIndication.REVOKED_NO_POE, SubIndication.REVOKED_CA_NO_POE, SubIndication.NO_POE,
      SubIndication.TRY_LATER, SubIndication.EXPIRED, SubIndication.NOT_YET_VALID);
  private static final Set<SubIndication> WEAK =
      EnumSet.of(SubIndication.CRYPTO_CONSTRAINTS_FAILURE, SubIndication.CRYPTO_CONSTRAINTS_FAILURE_NO_POE);

  /** From the best to the worst; a file is as good as the worst of its signatures. */
  private enum Kind { PASSED, INTACT, WARNS, WEAK, AGAINST }

  private record Answer(Kind kind, String words) {}

  public static void main(String[] args) throws Exception {
    boolean isForAnchors = args.length > 1 && args[1].equals("anchors");
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] parts = line.split("\t");
      String said;
      try {
        if (isForAnchors) writeAnchors(parts[0], parts[1], parts[2]);
        said = isForAnchors ? "" : survey(parts[0], parts[1], parts[2]);
      } catch (Exception | StackOverflowError | OutOfMemoryError error) {
        said = "against\t" + error;
      }
      System.out.println("verdict\t" + said.replaceAll("[\\r\\n]+", " "));
    }
  }

  private static Reports validate(String path, CommonCertificateVerifier verifier, TokenExtractionStrategy extraction) {
    verifier.setAIASource(null);
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(path));
    validator.setCertificateVerifier(verifier);
    validator.setTokenExtractionStrategy(extraction);
    return validator.validateDocument();
  }

  private static void writeAnchors(String path, String signersPath, String timesPath) throws Exception {
    List<AbstractTokenProxy> signers = new ArrayList<>();
    List<AbstractTokenProxy> times = new ArrayList<>();
    try {
      Reports reports = validate(path, new CommonCertificateVerifier(true), TokenExtractionStrategy.EXTRACT_CERTIFICATES_ONLY);
      signers.addAll(reports.getDiagnosticData().getSignatures());
      times.addAll(reports.getDiagnosticData().getTimestampList());
    } finally {
      Files.writeString(Path.of(signersPath), anchors(signers));
      Files.writeString(Path.of(timesPath), anchors(times));
    }
  }

  private static String anchors(List<AbstractTokenProxy> tokens) {
    Set<String> pems = new LinkedHashSet<>();
    for (AbstractTokenProxy token : tokens) {
      List<CertificateWrapper> chain = token.getCertificateChain();
      CertificateWrapper top = chain.isEmpty() ? token.getSigningCertificate() : chain.get(chain.size() - 1);
      if (top != null && top.getBinaries() != null) pems.add(DSSUtils.convertToPEM(new CertificateToken(x509(top.getBinaries()))));
    }
    return String.join("\n", pems);
  }

  private static java.security.cert.X509Certificate x509(byte[] der) {
    return DSSUtils.loadCertificate(der).getCertificate();
  }

  private static String survey(String path, String signersPath, String timesPath) throws Exception {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    for (String pems : List.of(signersPath, timesPath)) {
      if (new File(pems).length() == 0) continue;
      try (var in = Files.newInputStream(Path.of(pems))) {
        for (var certificate : java.security.cert.CertificateFactory.getInstance("X.509").generateCertificates(in))
          trusted.addCertificate(new CertificateToken((java.security.cert.X509Certificate) certificate));
      }
    }
    CommonCertificateVerifier verifier = new CommonCertificateVerifier(true);
    verifier.setTrustedCertSources(trusted);
    Reports reports = validate(path, verifier, TokenExtractionStrategy.NONE);
    List<Answer> answers = new ArrayList<>();
    for (SignatureWrapper signature : reports.getDiagnosticData().getSignatures()) answers.add(judge(reports.getSimpleReport(), signature));
    if (answers.isEmpty()) return "none\t" + reports.getDiagnosticData().getTimestampList().size() + " time-stamps";
    for (TimestampWrapper stamp : reports.getDiagnosticData().getTimestampList()) {
      if (!stamp.isMessageImprintDataIntact() || !stamp.isSignatureIntact()) answers.add(new Answer(Kind.INTACT, "broken time-stamp " + stamp.getType()));
    }
    Kind worst = answers.stream().map(Answer::kind).max(Enum::compareTo).orElseThrow();
    String words = answers.stream().map(Answer::words).filter(text -> !text.isEmpty()).distinct().collect(Collectors.joining("; "));
    return worst.name().toLowerCase() + "\t" + words;
  }

  private static Answer judge(SimpleReport simple, SignatureWrapper signature) {
    String id = signature.getId();
    Indication indication = simple.getIndication(id);
    SubIndication sub = simple.getSubIndication(id);
    List<String> words = new ArrayList<>();
    if (indication != Indication.TOTAL_PASSED) words.add(indication + "/" + sub + " " + text(simple.getAdESValidationErrors(id)));
    words.addAll(modifications(signature.getPDFRevision()));
    String said = String.join(", ", words);
    boolean isWarned = said.contains("warns: ");
    if (indication == Indication.TOTAL_PASSED) return new Answer(isWarned ? Kind.WARNS : Kind.PASSED, said);
    if (WEAK.contains(sub)) return new Answer(Kind.WEAK, said);
    boolean isIntact = indication == Indication.INDETERMINATE && ORIGIN.contains(sub) && signature.isSignatureValid();
    return new Answer(isIntact ? isWarned ? Kind.WARNS : Kind.INTACT : Kind.AGAINST, said);
  }

  /** Changes after the signature: its policy only warns of most of them. */
  private static List<String> modifications(PDFRevisionWrapper revision) {
    List<String> found = new ArrayList<>();
    if (revision == null) return found;
    if (!revision.getPdfPageDifferenceConcernedPages().isEmpty()) found.add("warns: page number differs");
    if (!revision.getPdfAnnotationsOverlapConcernedPages().isEmpty()) found.add("warns: annotations overlap");
    if (!revision.getPdfVisualDifferenceConcernedPages().isEmpty()) found.add("warns: looks different");
    if (!revision.getPdfAnnotationChanges().isEmpty()) found.add("notes: annotations changed");
    if (!revision.getPdfSignatureOrFormFillChanges().isEmpty()) found.add("notes: form filled or signed");
    List<XmlObjectModification> undefined = revision.getPdfUndefinedChanges();
    if (!undefined.isEmpty()) found.add("warns: undefined change " + undefined.get(0).getValue());
    return found;
  }

  private static String text(List<Message> messages) {
    return messages.stream().map(Message::getValue).collect(Collectors.joining(" "));
  }
}
