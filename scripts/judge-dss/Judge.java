import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.ExternalResourcesCRLSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Judges sealed files with DSS and its own validation policy: one line for each line of the list that the argument names.
 * A line of the list: file, level claimed, sub-filter, own root, root of the time-stamps, own revocation list, that of the time-stamps, with tabs between. A second
 * argument is the time of judging, as milliseconds since 1970.
 * Below B-LT the lists are handed in, as if fetched; from B-LT on the file has to hold everything. Nothing is fetched.
 */
public final class Judge {
  private record Order(String path, String level, String subFilter, String ownRoot, String timeRoot, String ownList, String timeList, Date at) {
    boolean holdsMaterial() {
      return level.equals("B-LT") || level.equals("B-LTA");
    }
  }

  public static void main(String[] args) throws Exception {
    Date at = args.length > 1 ? new Date(Long.parseLong(args[1])) : new Date();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] parts = line.split("\t");
      List<String> against;
      try {
        against = judge(new Order(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], at));
      } catch (Exception error) {
        against = List.of(String.valueOf(error));
      }
      System.out.println("verdict\t" + String.join("; ", against).replaceAll("\\s+", " "));
    }
  }

  private static CommonCertificateVerifier verifier(Order order) {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(DSSUtils.loadCertificate(new File(order.ownRoot())));
    trusted.addCertificate(DSSUtils.loadCertificate(new File(order.timeRoot())));
    CommonCertificateVerifier verifier = new CommonCertificateVerifier(true);
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    if (!order.holdsMaterial()) {
      verifier.setCrlSource(new ExternalResourcesCRLSource(new FileDocument(order.ownList()), new FileDocument(order.timeList())));
    }
    return verifier;
  }

  private static String words(List<Message> messages) {
    return messages.stream().map(Message::getValue).collect(Collectors.joining(", "));
  }

  private static List<String> judge(Order order) {
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(order.path()));
    validator.setCertificateVerifier(verifier(order));
    validator.setValidationTime(order.at());
    Reports reports = validator.validateDocument();
    SimpleReport simple = reports.getSimpleReport();
    List<String> against = new ArrayList<>();
    if (simple.getSignaturesCount() != 1) against.add(simple.getSignaturesCount() + " signatures");
    for (String id : simple.getSignatureIdList()) judgeSignature(order, simple, id, against);
    for (SignatureWrapper signature : reports.getDiagnosticData().getSignatures()) {
      if (!signature.isStructuralValidationValid()) {
        against.add("format: " + String.join(", ", signature.getStructuralValidationMessages()));
      }
    }
    for (TimestampWrapper stamp : reports.getDiagnosticData().getTimestampList()) {
      Indication indication = simple.getIndication(stamp.getId());
      if (indication != Indication.PASSED) {
        against.add("time-stamp " + stamp.getType() + " " + indication + " " + simple.getSubIndication(stamp.getId())
            + " " + words(simple.getAdESValidationErrors(stamp.getId())));
      }
    }
    return against;
  }

  private static void judgeSignature(Order order, SimpleReport simple, String id, List<String> against) {
    String format = simple.getSignatureFormat(id).toString();
    String form = order.subFilter().equals("adbe.pkcs7.detached") ? "PKCS7-" : "PAdES-BASELINE-";
    String claimed = form + order.level().substring(2);
    if (!format.equals(claimed)) against.add("it names the level " + format);
    if (simple.getIndication(id) != Indication.TOTAL_PASSED) {
      against.add(simple.getIndication(id) + " " + simple.getSubIndication(id) + " " + words(simple.getAdESValidationErrors(id)));
    }
    // Said beside the verdict, on standard error: what a reader of the table may want to know.
    String warnings = words(simple.getAdESValidationWarnings(id));
    if (!warnings.isEmpty()) System.err.println(new File(order.path()).getName() + ": " + warnings);
  }
}
